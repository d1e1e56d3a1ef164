import { amount, type Usdt } from '@dct/money'
import { formatTronAddress } from '@dct/rules/addresses'
import { REWARD_SENT_WITHIN_HOURS } from '@dct/rules/constants'
import { sharesOfPayment } from '@dct/rules/fees'
import { addDays, businessDayOf, type Clock } from '../../platform/clock.ts'
import { type Tx, together } from '../../platform/database/db.ts'
import { wakePages } from '../../platform/database/wake-pages.ts'
import { invariant } from '../../platform/errors.ts'
import { type BusinessEvent, writeEvent } from '../../platform/outbox/write-messages.ts'
import { hexOf } from '../chain/index.ts'
import { closeOpenFee, exemptHolder } from '../earnings/index.ts'
import { account, postLast, type Transfer } from '../ledger/index.ts'
import { type HolderMessage, messageHolders } from '../messages/index.ts'
import { createPayout } from '../payouts/index.ts'
import { type ClaimToSettle, markPaid } from './claims.queries.ts'

/**
 * Credits the payer's referral line, in the transaction that settles the fee. `feeUsdt` is the part of the fee, without
 * energy, that was actually paid.
 * @returns the transfers that book it: the settlement posts all of its transfers in one call, so that accounts are
 * locked in a single order
 */
export type CreditReferrals = (
  tx: Tx,
  fee: { feeId: bigint; payerUserId: bigint; feeUsdt: Usdt; planCode: string; at: Date },
) => Promise<Transfer[]>

export type SettleDeps = { clock: Clock; creditReferrals: CreditReferrals }

/** A USDT transfer to a fee receiver in a final block. */
export type Receipt = { txHash: Buffer; logIndex: number; amount: Usdt; blockTime: Date }

const HOUR_MS = 3_600_000

/** The time by which the rest of a claim is promised to be sent. */
export function deadlineOf({ blockTime }: { blockTime: Date }): Date {
  return new Date(blockTime.getTime() + REWARD_SENT_WITHIN_HOURS * HOUR_MS)
}

export type Settlement = {
  claim: ClaimToSettle
  receipt: Receipt
  /** The account that is debited when the payment becomes income. */
  source: 'feeReceiver' | 'suspense'
}

/**
 * Settles a claim's fee with a payment: books it, makes the rest of the claim due, allows the earning's next claim and
 * credits the referral line. All or nothing; the caller has locked the claim's row.
 */
export async function settleFee(deps: SettleDeps, tx: Tx, settlement: Settlement): Promise<void> {
  const { claim, receipt } = settlement
  const isMoved = await markPaid(tx, {
    claimId: claim.id,
    ...receipt,
    deadline: deadlineOf(receipt),
  })
  invariant(isMoved, `claim ${claim.code_claim} does not await its fee`)
  await settlePaid(deps, tx, settlement)
  await wakePages(tx, [claim.user_id])
}

/**
 * The settlement after the claim has been marked as paid. Contended rows are locked last: the balances of the referral
 * line, then the ledger accounts.
 */
export async function settlePaid(
  deps: SettleDeps,
  tx: Tx,
  { claim, receipt, source }: Settlement,
): Promise<void> {
  const now = deps.clock.now()
  const shares = sharesOfPayment(receipt.amount, {
    feeUsdt: amount('USDT', claim.fee_usdt),
    energyFee: amount('USDT', claim.energy_fee),
  })
  const ref = `${hexOf(receipt.txHash)}:${receipt.logIndex}`
  const booking = { debit: account[source], asset: 'USDT', ref, at: now } as const
  const again = await exemptWait(tx, {
    earningId: claim.earning_id,
    paidAt: receipt.blockTime,
    now,
  })
  const [, rest, credits] = await together(
    closeOpenFee(tx, { earningId: claim.earning_id }),
    payRest(tx, claim, now),
    deps.creditReferrals(tx, {
      feeId: claim.id,
      payerUserId: claim.user_id,
      feeUsdt: shares.fee,
      planCode: claim.plan_code,
      at: now,
    }),
    reportFeePaid(tx, { claim, receipt }),
  )
  await postLast(tx, [
    { ...booking, credit: account.incomeFee, amount: shares.income, kind: 'fee.paid' },
    { ...booking, credit: account.incomeEnergy, amount: shares.energy, kind: 'fee.energy_paid' },
    rest,
    ...again,
    ...credits,
  ])
}

async function reportFeePaid(
  tx: Tx,
  { claim, receipt }: Pick<Settlement, 'claim' | 'receipt'>,
): Promise<void> {
  const txHash = hexOf(receipt.txHash)
  const event: BusinessEvent = {
    type: 'fee.paid',
    key: `${txHash}:${receipt.logIndex}`,
    at: receipt.blockTime,
    data: {
      claim_code: claim.code_claim,
      holder: formatTronAddress(claim.staker),
      plan_code: claim.plan_code,
      amount: { asset: 'USDT', units: receipt.amount },
      tx_hash: txHash,
    },
  }
  const message: HolderMessage = {
    ...{ userId: claim.user_id, kind: 'fee_seen', at: receipt.blockTime },
    key: `${txHash}:${receipt.logIndex}`,
    facts: {
      plan_code: claim.plan_code,
      claim_code: claim.code_claim,
      amount: { asset: 'USDT', units: receipt.amount },
      variant: '',
    },
  }
  await together(writeEvent(tx, event), messageHolders(tx, [message]))
}

/** Creates the payout of the rest of the claim. @returns the transfer that books it */
async function payRest(tx: Tx, claim: ClaimToSettle, now: Date): Promise<Transfer> {
  const payoutId = await createPayout(tx, {
    account: { chain: 'TRON', holder: hexOf(claim.staker), name: claim.plan_code },
    cause: `claim:${claim.id}:later`,
    amount: claim.later_amount,
    at: now,
  })
  return {
    debit: account.claim(claim.id),
    credit: account.payout(payoutId),
    asset: 'DCT',
    amount: claim.later_amount,
    kind: 'claim.rest_due',
    ref: `${claim.id}`,
    at: now,
  }
}

/** Exempts the days that began between the payment and its settlement. @returns the transfers that book it */
async function exemptWait(
  tx: Tx,
  { earningId, paidAt, now }: { earningId: bigint; paidAt: Date; now: Date },
): Promise<Transfer[]> {
  const [first, last] = [addDays(businessDayOf(paidAt), 1), businessDayOf(now)]
  if (first > last) return []
  return exemptHolder(tx, { earningId, first, last, at: now })
}
