import { findEvmAddress } from '@dct/rules/pasted-text'
import { REFERRAL_REFUSALS } from './referrals.texts.ts'

const BSC_ADDRESS = /^0x[0-9a-fA-F]{40}$/

/** The address in what was typed or pasted; what was typed if it has none. */
export function readClaimAddress(typed: string): string {
  return findEvmAddress(typed) ?? typed.trim()
}

/** Why this is not a valid BSC address; undefined if it looks like one. The service also checks its checksum. */
export function claimAddressProblem(address: string): string | undefined {
  return BSC_ADDRESS.test(address) ? undefined : REFERRAL_REFUSALS.badAddress
}
