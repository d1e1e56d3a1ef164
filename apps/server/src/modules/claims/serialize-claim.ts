import { formatAmount, formatUnits } from '@dct/money'
import { formatEvmAddress, formatTronAddress } from '@dct/rules/addresses'
import { CLAIM_FEE_BPS, PRICE_DECIMALS } from '@dct/rules/constants'
import { formatPercentage } from '@dct/rules/percentages'
import type { Selectable } from 'kysely'
import { hexOf } from '../chain/index.ts'
import type { ClaimTable } from './claims.tables.ts'
import { pendingPartName } from './on-payout-final.ts'

export type Claim = Selectable<ClaimTable>
export type Decimals = { dctDecimals: number }

export const FEE_NETWORK = 'BSC (BEP20)'

export function formatUsdt(base: bigint): string {
  return formatAmount('USDT', base)
}

/** Tron hashes are written without 0x, BSC hashes with it. */
export function formatTronHash(hash: Buffer): string {
  return hash.toString('hex')
}

/** The transaction hash of a part of a claim, or its placeholder until it is final. */
function partHash(claim: Claim, name: 'now' | 'later'): string {
  const hash = name === 'now' ? claim.now_tx : claim.later_tx
  return hash === null ? pendingPartName(name, claim.code_claim) : formatTronHash(hash)
}

/** The hash of the later part; null until the fee is paid. */
export function rewardHash(claim: Claim): string | null {
  return claim.state === 'paid' ? partHash(claim, 'later') : null
}

/** The hash of the half that a HALF claim sends immediately; null for other claims. */
export function earlyHash(claim: Claim): string | null {
  return claim.now_amount === 0n ? null : partHash(claim, 'now')
}

/** The transaction shown for a claim: the half sent immediately, else the later part. */
export function shownHash(claim: Claim): string {
  return earlyHash(claim) ?? partHash(claim, 'later')
}

/** The components of a fee. */
export function serializeFeeParts(
  { dctDecimals }: Decimals,
  parts: { unpaidFee: bigint; price: bigint; feeUsdt: bigint; energyFee: bigint },
) {
  return {
    fee_percentage: formatPercentage(CLAIM_FEE_BPS),
    unpaid_fee: formatAmount('DCT', parts.unpaidFee, dctDecimals),
    price_usdt: formatUnits(parts.price, PRICE_DECIMALS, PRICE_DECIMALS),
    fee_usdt: formatUsdt(parts.feeUsdt),
    energy_fee_usdt: formatUsdt(parts.energyFee),
  }
}

/** The amount of a fee that remains to be paid, and its exact amount. */
export function serializeExactFee(claim: Claim) {
  return {
    unpaid_fee_usdt: formatUsdt(claim.unpaid_usdt),
    exact_fee_usdt: formatUsdt(claim.exact_amount),
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
export function serializeClaim({ dctDecimals }: Decimals, claim: Claim) {
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
    lapsed_amount: dct(claim.state === 'lapsed' ? claim.later_amount : 0n),
    first_cycle: claim.first_cycle,
    last_cycle: claim.last_cycle,
    ...serializeFeeParts({ dctDecimals }, partsOf(claim)),
    ...serializeExactFee(claim),
    tx_hash_usdt: claim.fee_tx === null ? null : hexOf(claim.fee_tx),
    tx_hash_reward: rewardHash(claim),
    trx_hash: shownHash(claim),
    paid_at: claim.paid_at?.toISOString() ?? null,
    deadline: claim.deadline?.toISOString() ?? null,
  }
}

export function serializeAdminClaim(decimals: Decimals, claim: Claim) {
  return { ...serializeClaim(decimals, claim), tron_address: formatTronAddress(claim.staker) }
}

export function formatReceiver(address: Buffer): string {
  return formatEvmAddress(address)
}
