/**
 * Why a call of a contract on Tron had no effect; null when it succeeded. The one rule for readers, senders and pages.
 * @param info the fields `result` and `receipt.result` of the transaction's info, undefined where the node leaves them
 * out. A transaction that calls no contract has no receipt result; it moves nothing that this service books.
 */
export function failureOfTronCall(info: {
  result: string | undefined
  receiptResult: string | undefined
}): string | null {
  const { result, receiptResult } = info
  if (receiptResult === 'SUCCESS' && result !== 'FAILED') return null
  return receiptResult === 'SUCCESS' ? 'FAILED' : (receiptResult ?? 'FAILED')
}
