import { findTransactionHash } from '@dct/rules/pasted-text'
import { FEE_REFUSALS } from './claim-fees.texts.ts'

/** The payment hash in what was typed or pasted; what was typed if it has none. */
export function readPaymentHash(typed: string): string {
  const digits = findTransactionHash(typed)
  return digits === undefined ? typed.trim() : `0x${digits}`
}

const BSC_HASH = /^0x[0-9a-fA-F]{64}$/

/** Why a payment hash is invalid; undefined if it can be sent. */
export function paymentHashProblem(hash: string): string | undefined {
  if (hash === '') return FEE_REFUSALS.hashMissing
  return BSC_HASH.test(hash) ? undefined : FEE_REFUSALS.hashInvalid
}
