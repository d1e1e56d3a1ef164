import { FEE_REFUSALS } from './claim-fees.texts.ts'

const BSC_HASH = /^0x[0-9a-fA-F]{64}$/

/** Why a payment hash is invalid; undefined if it can be sent. */
export function paymentHashProblem(hash: string): string | undefined {
  if (hash === '') return FEE_REFUSALS.hashMissing
  return BSC_HASH.test(hash) ? undefined : FEE_REFUSALS.hashInvalid
}
