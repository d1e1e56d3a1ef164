import { AMOUNT_HELD_DAYS, CANCEL_AFTER_HOURS } from '@dct/rules/constants'
import { isCancellable } from '@dct/rules/fees'
import { type Clock, DAY_MS } from '../../platform/clock.ts'
import { type Db, inTransaction, type Tx } from '../../platform/database/db.ts'
import { invariant, Refusal } from '../../platform/errors.ts'
import { provenTime } from '../chain/index.ts'
import { closeOpenFee, restoreClaimable } from '../earnings/index.ts'
import { account, postTransfers } from '../ledger/index.ts'
import { messageHolders } from '../messages/index.ts'
import {
  closeUnpaid,
  lockClaim,
  lockClaimByCode,
  releaseHolds,
  unpaidPast,
} from './claims.queries.ts'

const HOUR_MS = 3_600_000
const LAPSED_AT_ONCE = 100

/**
 * Cancels an unpaid FULL claim: its amount can be claimed again. Its payment amount stays reserved, so that a late
 * payment still identifies the claim.
 * @throws Refusal `CLAIM_NOT_FOUND`, `HALF_NOT_CANCELLABLE`, `CLAIM_NOT_OPEN`, `CANCEL_TOO_EARLY`
 */
export async function cancelClaim(
  { db, clock }: { db: Db; clock: Clock },
  input: { userId: bigint; code: string },
): Promise<void> {
  const now = clock.now()
  await inTransaction(db, async (tx) => {
    const claim = await lockClaimByCode(tx, input)
    if (claim === undefined) throw new Refusal('CLAIM_NOT_FOUND')
    if (!isCancellable(claim.kind)) throw new Refusal('HALF_NOT_CANCELLABLE')
    if (claim.state !== 'awaiting_fee') throw new Refusal('CLAIM_NOT_OPEN', { state: claim.state })
    const from = new Date(claim.requested_at.getTime() + CANCEL_AFTER_HOURS * HOUR_MS)
    if (now < from) throw new Refusal('CANCEL_TOO_EARLY', { cancellable_from: from.toISOString() })
    await closeUnpaid(tx, { claimId: claim.id, state: 'cancelled', at: now })
    const again = await restoreClaimable(tx, {
      earningId: claim.earning_id,
      lastCycle: claim.last_cycle,
      previousThrough: claim.previous_through,
      at: now,
    })
    await postTransfers(tx, [
      ...again,
      {
        debit: account.claim(claim.id),
        credit: account.credited(claim.plan_code),
        asset: 'DCT',
        amount: claim.later_amount,
        kind: 'claim.cancelled',
        ref: `${claim.id}`,
        at: now,
      },
    ])
  })
}

/** `more`: some are left because of their number; `unproven`: some, whose fee may yet turn out to be paid. */
type Left = 'none' | 'more' | 'unproven'

/**
 * Lapses claims whose fee was not paid within 210 days after the end of the stake. Judges none before it is proven that
 * every payment made in time was booked: a node may have left one out.
 */
export async function lapseUnpaidClaims(tx: Tx, now: Date, atOnce = LAPSED_AT_ONCE): Promise<Left> {
  const proven = await provenTime(tx, 'BSC')
  if (proven !== undefined) {
    const ids = await unpaidPast(tx, proven < now ? proven : now, atOnce)
    for (const id of ids) await lapse(tx, id, now)
    if (ids.length === atOnce) return 'more'
  }
  return (await unpaidPast(tx, now, 1)).length === 0 ? 'none' : 'unproven'
}

async function lapse(tx: Tx, id: bigint, now: Date): Promise<void> {
  const claim = await lockClaim(tx, id)
  invariant(claim !== undefined, `claim ${id} does not exist`)
  if (claim.state !== 'awaiting_fee') return
  await closeUnpaid(tx, { claimId: id, state: 'lapsed', at: now })
  await closeOpenFee(tx, { earningId: claim.earning_id })
  await postTransfers(tx, [
    {
      debit: account.claim(id),
      credit: account.lapsed(claim.plan_code),
      asset: 'DCT',
      amount: claim.later_amount,
      kind: 'claim.lapsed',
      ref: `${id}`,
      at: now,
    },
  ])
  const amount = { asset: 'DCT', units: claim.later_amount } as const
  const { user_id: userId, plan_code, code_claim: claim_code } = claim
  const facts = { plan_code, claim_code, amount, variant: 'Claim' } as const
  await messageHolders(tx, [{ userId, kind: 'lapsed', key: claim_code, facts, at: now }])
}

/** Frees the payment amounts of claims that were paid or closed more than 90 days ago. */
export async function releaseAmounts(tx: Tx, now: Date): Promise<void> {
  await releaseHolds(tx, new Date(now.getTime() - AMOUNT_HELD_DAYS * DAY_MS))
}
