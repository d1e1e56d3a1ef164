import type { CaseReply, SupportCase } from '@dct/api-contract/reports'
import { formatAmount, formatUnits } from '@dct/money'
import { formatEvmAddress, formatTronAddress } from '@dct/rules/addresses'
import { PRICE_DECIMALS } from '@dct/rules/constants'
import type { DbOrTx } from '../../platform/database/db.ts'
import { eventsOfTransactions, hexOf } from '../chain/index.ts'
import { type CaseClaim, hintOfClaim, paymentsOfClaim } from '../claims/index.ts'
import { payoutsOfCauses } from '../payouts/index.ts'
import { rewardsOfFee } from '../referrals/index.ts'
import { entriesOf, linksOf, notesOf } from './case.queries.ts'

export type CaseDeps = { db: DbOrTx; dctDecimals: number }

const usdt = (units: bigint) => formatAmount('USDT', units)
const iso = (at: Date | null) => at?.toISOString() ?? null

/** Everything about a claim, for admins. */
export async function describeCase(
  deps: CaseDeps & { now: Date },
  claim: CaseClaim,
): Promise<CaseReply> {
  const { db, dctDecimals, now } = deps
  const { shown, payouts, payments } = await collect(deps, claim)
  const [rewards, hint, notes, links] = await Promise.all([
    rewardsOfFee(db, claim.id),
    hintOfClaim(db, claim.id),
    notesOf(db, claim.id),
    linksOf(db, claim.id),
  ])
  const entries = await entriesOf(db, {
    claim: `${claim.id}`,
    receipts: payments.map((one) => `${hexOf(one.tx_hash)}:${one.log_index}`),
    payouts: payouts.map(({ id }) => `${id}`),
    rewards: rewards.map(({ receiver_id }) => `${claim.id}:${receiver_id}`),
  })
  return {
    case: { ...shown, tron_address: formatTronAddress(claim.staker) },
    stake: {
      id: `${claim.stake_id}`,
      tx_hash: claim.stake_tx.toString('hex'),
      amount: formatUnits(claim.stake_amount, dctDecimals),
    },
    named_transaction:
      hint === undefined
        ? null
        : {
            tx_hash: hexOf(hint.tx_hash),
            at: hint.submitted_at.toISOString(),
            problem: hint.message,
          },
    entries: entries.map(({ at, amount, ...entry }) => ({
      ...entry,
      amount: entry.asset === 'DCT' ? formatUnits(amount, dctDecimals) : usdt(amount),
      at: at.toISOString(),
    })),
    referral_rewards: rewards.map((reward) => ({
      tron_address: formatTronAddress(reward.address),
      kind: reward.kind,
      amount_usdt: usdt(reward.amount),
    })),
    notes: notes.map(({ id, text, at, address }) => ({
      id: `${id}`,
      by: formatTronAddress(address),
      text,
      at: at.toISOString(),
    })),
    links: links.map((link) => ({
      id: `${link.id}`,
      created_by: formatTronAddress(link.address),
      created_at: link.created_at.toISOString(),
      expires_at: link.expires_at.toISOString(),
      is_open: link.revoked_at === null && link.expires_at > now,
    })),
  }
}

/**
 * The claim and its payments as support may see them: the holder's address is shortened to its first and last
 * characters.
 */
export async function describeForSupport(deps: CaseDeps, claim: CaseClaim): Promise<SupportCase> {
  return (await collect(deps, claim)).shown
}

async function collect({ db, dctDecimals }: CaseDeps, claim: CaseClaim) {
  const dct = (units: bigint) => formatUnits(units, dctDecimals)
  const [payments, payouts] = await Promise.all([
    paymentsOfClaim(db, claim.id),
    payoutsOfCauses(db, [`claim:${claim.id}:now`, `claim:${claim.id}:later`]),
  ])
  const hashes = [claim.stake_tx, claim.fee_tx, ...payouts.map(({ final_tx }) => final_tx)]
  const events = await eventsOfTransactions(
    db,
    hashes.filter((hash) => hash !== null),
  )
  const address = formatTronAddress(claim.staker)
  const shown: SupportCase = {
    code_claim: claim.code_claim,
    plan_code: claim.plan_code,
    claim_type: claim.kind,
    state: claim.state,
    tron_address: `${address.slice(0, 5)}...${address.slice(-5)}`,
    claimed_amount: dct(claim.amount),
    now_amount: dct(claim.now_amount),
    later_amount: dct(claim.later_amount),
    price_usdt: formatUnits(claim.price, PRICE_DECIMALS, PRICE_DECIMALS),
    fee_usdt: usdt(claim.fee_usdt),
    energy_fee_usdt: usdt(claim.energy_fee),
    exact_fee_usdt: usdt(claim.exact_amount),
    receiver: formatEvmAddress(claim.receiver),
    first_cycle: claim.first_cycle,
    last_cycle: claim.last_cycle,
    requested_at: claim.requested_at.toISOString(),
    fee_until: claim.fee_until.toISOString(),
    paid_at: iso(claim.paid_at),
    closed_at: iso(claim.closed_at),
    deadline: iso(claim.deadline),
    payments: payments.map((payment) => ({
      tx_hash: hexOf(payment.tx_hash),
      from_address: formatEvmAddress(payment.from_address),
      amount_usdt: usdt(payment.amount),
      received_at: payment.block_time.toISOString(),
      state: payment.state,
      is_fee: payment.claim_id === claim.id,
      note: payment.note,
    })),
    payouts: payouts.map((payout) => ({
      id: `${payout.id}`,
      part: payout.cause.split(':').at(-1) ?? '',
      amount: dct(payout.amount),
      state: payout.state,
      reason: payout.wait_detail ?? payout.wait_reason,
      attempts: Number(payout.attempts ?? 0n),
      tx_hash: payout.final_tx?.toString('hex') ?? null,
      created_at: payout.created_at.toISOString(),
      final_at: iso(payout.final_at),
    })),
    events: events.map((event) => ({
      chain: event.chain,
      name: event.name,
      tx_hash: event.chain === 'TRON' ? event.tx_hash.toString('hex') : hexOf(event.tx_hash),
      block_number: Number(event.block_number),
      at: event.block_time.toISOString(),
    })),
  }
  return { shown, payouts, payments }
}
