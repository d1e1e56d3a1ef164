import type { ChainReader, FinalReceipt } from '@dct/chain-clients'
import type { Hex } from 'viem'
import { Refusal } from '../../platform/errors.ts'

/**
 * The receipt of a transaction that somebody names as a payment.
 * @throws Refusal `PAYMENT_NOT_ON_CHAIN`, `PAYMENT_NOT_FINAL`, `PAYMENT_WITHOUT_EFFECT`
 */
export async function readFinalReceipt(
  chain: Pick<ChainReader, 'receipt'>,
  hash: Hex,
): Promise<FinalReceipt> {
  const receipt = await chain.receipt(hash)
  if (receipt.kind === 'unknown') throw new Refusal('PAYMENT_NOT_ON_CHAIN')
  if (receipt.kind === 'mined') throw new Refusal('PAYMENT_NOT_FINAL')
  if (receipt.failure !== null) throw new Refusal('PAYMENT_WITHOUT_EFFECT')
  return receipt
}
