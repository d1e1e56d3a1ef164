import { FEE_WORDING } from './claim-fees.texts.ts'

const BSC_HASH = /^0x[0-9a-fA-F]{64}$/

/** What is wrong with a payment hash, in words; undefined when it can be sent. */
export function paymentHashProblem(hash: string): string | undefined {
  if (hash === '') return FEE_WORDING.hashMissing
  return BSC_HASH.test(hash) ? undefined : FEE_WORDING.hashInvalid
}
