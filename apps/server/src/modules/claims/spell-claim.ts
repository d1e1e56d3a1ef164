import { formatAmount, formatUnits } from '@dct/money'
import { formatEvmAddress, formatTronAddress } from '@dct/rules/addresses'
import { CLAIM_FEE_BPS, PRICE_DECIMALS } from '@dct/rules/constants'
import { formatPercentage } from '@dct/rules/percentages'
import type { Selectable } from 'kysely'
import { hexOf } from '../chain/index.ts'
import type { ClaimTable } from './claims.tables.ts'
import { pendingPartName } from './payout-final.ts'

export type Claim = Selectable<ClaimTable>
export type Decimals = { dctDecimals: number }

export const FEE_NETWORK = 'BSC (BEP20)'

export function spellUsdt(base: bigint): string {
  return formatAmount('USDT', base)
}

/** Tron writes hashes without 0x, BSC with it. */
export function spellTronHash(hash: Buffer): string {
  return hash.toString('hex')
}

/** The hash of a claim's part; until it is final, what stands for it. */
function partHash(claim: Claim, name: 'now' | 'later'): string {
  const hash = name === 'now' ? claim.now_tx : claim.later_tx
  return hash === null ? pendingPartName(name, claim.code_claim) : spellTronHash(hash)
}

/** Null until the fee is paid. */
export function rewardHash(claim: Claim): string | null {
  return claim.state === 'paid' ? partHash(claim, 'later') : null
}

/** The hash of the half that a HALF claim sent at once; null where there is none. */
export function earlyHash(claim: Claim): string | null {
  return claim.now_amount === 0n ? null : partHash(claim, 'now')
}

/** What a claim shows as its transaction: the half at once, else the reward. */
export function shownHash(claim: Claim): string {
  return earlyHash(claim) ?? partHash(claim, 'later')
}

/** What a fee is made of. */
export function spellFeeParts(
  { dctDecimals }: Decimals,
  parts: { unpaidFee: bigint; price: bigint; feeUsdt: bigint; energyFee: bigint },
) {
  return {
    fee_percentage: formatPercentage(CLAIM_FEE_BPS),
    unpaid_fee: formatAmount('DCT', parts.unpaidFee, dctDecimals),
    price_usdt: formatUnits(parts.price, PRICE_DECIMALS, PRICE_DECIMALS),
    fee_usdt: spellUsdt(parts.feeUsdt),
    energy_fee_usdt: spellUsdt(parts.energyFee),
  }
}

export function partsOf(claim: Claim) {
  return {
    unpaidFee: claim.unpaid_fee,
    price: claim.price,
    feeUsdt: claim.fee_usdt,
    energyFee: claim.energy_fee,
  }
}

/** A claim as the histories show it. */
export function spellClaim({ dctDecimals }: Decimals, claim: Claim) {
  const dct = (base: bigint) => formatAmount('DCT', base, dctDecimals)
  return {
    claim_date: claim.requested_at.toISOString(),
    plan_code: claim.plan_code,
    earning_plan_code: claim.plan_code,
    code_claim: claim.code_claim,
    claimed_amount: dct(claim.amount),
    pending_token_amount: dct(claim.amount),
    claim_type: claim.kind,
    state: claim.state,
    is_paid: claim.state === 'paid',
    first_cycle: claim.first_cycle,
    last_cycle: claim.last_cycle,
    ...spellFeeParts({ dctDecimals }, partsOf(claim)),
    unpaid_fee_usdt: spellUsdt(claim.exact_amount),
    tx_hash_usdt: claim.fee_tx === null ? null : hexOf(claim.fee_tx),
    tx_hash_reward: rewardHash(claim),
    trx_hash: shownHash(claim),
    paid_at: claim.paid_at?.toISOString() ?? null,
    deadline: claim.deadline?.toISOString() ?? null,
  }
}

export function spellAdminClaim(decimals: Decimals, claim: Claim) {
  return { ...spellClaim(decimals, claim), tron_address: formatTronAddress(claim.staker) }
}

export function spellReceiver(address: Buffer): string {
  return formatEvmAddress(address)
}
