import { type BonusType, readBonusType } from '@dct/api-contract/referrals'
import { formatEvmAddress, parseEvmAddress } from '@dct/rules/addresses'
import { businessDayOf } from '@dct/rules/business-day'
import type { ReferralKind } from '@dct/rules/referral-shares'
import type { Clock } from '../../../platform/clock.ts'
import { Refusal } from '../../../platform/errors.ts'

export type ReferralClaimRules = {
  clock: Clock
  /** The first instant at which the non-direct bonus can be claimed. */
  readNonDirectOpensAt(): Promise<Date>
  /** BSC addresses that must not receive rewards: the token's and all of our own. 20 bytes each. */
  ownBscAddresses: readonly Uint8Array[]
  /** The vault that pays, which the signed text names, with a checksum. */
  vault: { address: string; chainId: number }
}

export type ReferralClaimRequest = {
  kind: ReferralKind
  bonusType: BonusType
  usdtAddress: Buffer
  /** The address in its canonical form, which the holder signs. */
  shownAddress: string
}

/**
 * Reads the kind and the receiving address of a claim.
 * @throws Refusal `BONUS_TYPE_UNKNOWN`, `USDT_ADDRESS_INVALID`, `USDT_ADDRESS_NOT_YOURS`, `NON_DIRECT_CLOSED`
 */
export async function readReferralClaimRequest(
  rules: ReferralClaimRules,
  request: { type: string; usdtAddress: string },
): Promise<ReferralClaimRequest> {
  const bonusType = readBonusType(request.type)
  if (bonusType === undefined) throw new Refusal('BONUS_TYPE_UNKNOWN')
  const kind = kindOf(bonusType)
  const address = parseEvmAddress(request.usdtAddress)
  if (address === undefined) throw new Refusal('USDT_ADDRESS_INVALID')
  if (isForbidden(rules, address)) throw new Refusal('USDT_ADDRESS_NOT_YOURS')
  if (kind === 'indirect') await requireOpen(rules)
  const usdtAddress = Buffer.from(address)
  return { kind, bonusType, usdtAddress, shownAddress: formatEvmAddress(address) }
}

async function requireOpen({ clock, readNonDirectOpensAt }: ReferralClaimRules): Promise<void> {
  const opensAt = await readNonDirectOpensAt()
  if (clock.now() < opensAt) throw new Refusal('NON_DIRECT_CLOSED', { day: businessDayOf(opensAt) })
}

function isForbidden({ ownBscAddresses }: ReferralClaimRules, address: Uint8Array): boolean {
  const isZero = address.every((byte) => byte === 0)
  return isZero || ownBscAddresses.some((own) => Buffer.compare(own, address) === 0)
}

export function kindOf(bonusType: BonusType): ReferralKind {
  return bonusType === 'direct bonus' ? 'direct' : 'indirect'
}

export function bonusTypeOf(kind: ReferralKind): BonusType {
  return kind === 'direct' ? 'direct bonus' : 'non-direct'
}
