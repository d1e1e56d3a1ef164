import { REFERRAL_WORDING } from './referrals.texts.ts'

const BSC_ADDRESS = /^0x[0-9a-fA-F]{40}$/

/** Why this is no BSC address; undefined when it looks like one. The service checks its checksum too. */
export function claimAddressProblem(address: string): string | undefined {
  return BSC_ADDRESS.test(address) ? undefined : REFERRAL_WORDING.badAddress
}
