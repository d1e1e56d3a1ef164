import { REFERRAL_REFUSALS } from './referrals.texts.ts'

const BSC_ADDRESS = /^0x[0-9a-fA-F]{40}$/

/** Why this is not a valid BSC address; undefined if it looks like one. The service also checks its checksum. */
export function claimAddressProblem(address: string): string | undefined {
  return BSC_ADDRESS.test(address) ? undefined : REFERRAL_REFUSALS.badAddress
}
