import { parseAmount } from '@dct/money'
import fc from 'fast-check'
import { expect } from 'vitest'
import { hexOf } from '../modules/chain/index.ts'
import { claimJobs } from '../modules/claims/claims.jobs.ts'
import { onUsdtTransfer } from '../modules/claims/index.ts'
import { bookStakingEvent, createSettleLoop } from '../modules/earnings/index.ts'
import { creditFee } from '../modules/referrals/index.ts'
import { historyRoutes } from '../modules/reports/history.routes.ts'
import { DAY_MS, realClock } from '../platform/clock.ts'
import { type Db, inBooking, inTransaction } from '../platform/database/db.ts'
import { everything } from './all-tables.ts'
import {
  announceReturn,
  type ClaimsWorld,
  createClaimsWorld,
  givenBscHead,
  givenMarket,
  PAYOUT_WALLET,
  payOut,
  post,
  RECEIVER,
  sendBack,
  transferEvent,
} from './claims.ts'
import { wipe } from './database.ts'
import { elementAt } from './element-at.ts'
import { ManualClock } from './manual-clock.ts'
import { createReferralApp, payClaim, type ReferralApp } from './referral-app.ts'
import { givenFundedPlan, givenStake, passDays, releasedEvent } from './stakes.ts'
import { givenUser, type TestUser } from './users.ts'

const START = '2026-03-01T03:00:00Z'
const LOCKED = parseAmount('DCT', '50')

/** A holder with a plan of their own, so that the plan's accounts are the holder's. */
export type Holder = TestUser & { plan: string; stakeId: bigint }
/** The second holder was referred by the first. */
export type Cast = { admin: TestUser; holders: readonly Holder[] }

const ACT_NAMES = [
  ...(['days', 'claim', 'pay', 'payOdd', 'cancel', 'send'] as const),
  ...(['askReferral', 'decideReferral', 'untilTheEnd'] as const),
] as const
type ActName = (typeof ACT_NAMES)[number]
export type HistoryStep = { act: ActName; who: number; size: number; isOdd: boolean }

type Stage = { db: Db; clock: ManualClock; world: ClaimsWorld; referrals: ReferralApp }
type Act = (stage: Stage, cast: Cast, holder: Holder, step: HistoryStep) => Promise<unknown>

/** The acts of two holders, performed on the real routes, bookings and jobs. */
export async function createHistoryWorld(db: Db) {
  const clock = new ManualClock(START)
  const world = await createClaimsWorld(db, clock)
  const brand = 'DCT Earning'
  await world.app.register(historyRoutes, { prefix: '/api', ...world, dctDecimals: 6, brand })
  const referrals = await createReferralApp(db, realClock)
  const stage: Stage = { db, clock, world, referrals }
  return {
    ...stage,
    givenCast: () => givenCast(stage),
    async play(cast: Cast, step: HistoryStep): Promise<void> {
      referrals.clock.set(clock.now().toISOString())
      await ACTS[step.act](stage, cast, elementAt(cast.holders, step.who), step)
      clock.advanceMs(60_000)
    },
    async close() {
      await world.app.close()
      await referrals.app.close()
    },
  }
}
export type HistoryWorld = Awaited<ReturnType<typeof createHistoryWorld>>

async function givenCast({ db, clock, world }: Stage): Promise<Cast> {
  await wipe(db)
  clock.set(START)
  await givenMarket(world)
  const people = { ...world, realClock }
  const admin = await givenUser(people, { role: 'admin' })
  const referrer = await givenUser(people)
  const referred = await givenUser(people, { referrerId: referrer.id })
  const holders: Holder[] = []
  for (const [index, user] of [referrer, referred].entries()) {
    const code = `OWN-${index}`
    // 0.5 DCT a day: claims are possible from the second day, and without one the last days lapse.
    const plan = await givenFundedPlan(world.stakes, { code, durationDays: 40, rateBps: 4_000 })
    const stakeId = await givenStake(world.stakes, { plan, staker: user.address, amount: LOCKED })
    holders.push({ ...user, plan: code, stakeId })
  }
  return { admin, holders }
}

const openClaim = ({ db }: Stage, holder: Holder) =>
  everything(db)
    .selectFrom('claim')
    .selectAll()
    .where('staker', '=', holder.address)
    .where('state', '=', 'awaiting_fee')
    .executeTakeFirst()

/** Handles a USDT payment like the watcher, actually crediting referrers. */
async function receiveUsdt({ db, clock, world }: Stage, value: bigint) {
  const event = transferEvent(world, { value })
  const deps = {
    clock,
    creditReferrals: (tx: Parameters<typeof creditFee>[1], fee: Parameters<typeof creditFee>[2]) =>
      creditFee({ directRateBps: 1_000n }, tx, fee),
    feeReceivers: [RECEIVER],
    vaults: [PAYOUT_WALLET],
  }
  await inBooking(db, (tx) => onUsdtTransfer(deps, tx, event))
  return event
}

/** Runs what workers do when the long deadlines end. */
async function closeDeadlines({ db, clock, world }: Stage) {
  await givenBscHead(world, 5_000n)
  const facts = { id: 1n, queue: 'claims.close', key: 'daily', payload: {}, attempts: 0 }
  await inTransaction(db, async (tx) => claimJobs({ clock })['claims.close']?.(tx, facts))
  await createSettleLoop({ db, clock }).step()
}

const ACTS: Record<ActName, Act> = {
  days: ({ world }, _cast, _holder, { size }) => passDays(world.stakes, size),
  claim: ({ world }, _cast, holder, { isOdd }) =>
    post(world, holder, '/user/claim', {
      earning_plan_code: holder.plan,
      claim_type: isOdd ? 'HALF' : 'FULL',
    }),
  pay: async (stage, _cast, holder) => {
    const claim = await openClaim(stage, holder)
    if (claim) await receiveUsdt(stage, claim.exact_amount)
  },
  payOdd: async (stage, { admin }, holder, { isOdd }) => {
    const claim = await openClaim(stage, holder)
    if (!claim) return
    const value = claim.exact_amount + 1n
    const { txHash, logIndex } = await receiveUsdt(stage, value)
    if (!isOdd) return
    const refund_tx_hash = sendBack(stage.world, [{ value }])
    await announceReturn(stage.world, admin, { txHash, logIndex })
    const payload = { tx_hash: hexOf(txHash), log_index: logIndex, refund_tx_hash }
    const { status } = await post(stage.world, admin, '/admin/unmatched-payments/refunded', payload)
    expect(status).toBe(200)
  },
  cancel: async (stage, _cast, holder) => {
    const claim = await openClaim(stage, holder)
    const payload = { code_claim: claim?.code_claim }
    if (claim) await post(stage.world, holder, '/user/cancel-claim', payload)
  },
  send: async ({ db, world }, _cast, { address }) => {
    const due = everything(db).selectFrom('payout').select('cause')
    const open = due.where('to_address', '=', address).where('state', '=', 'waiting')
    for (const { cause } of await open.execute()) await payOut(world, cause)
  },
  askReferral: ({ referrals }, _cast, holder) => referrals.claim(holder),
  decideReferral: async ({ db, clock, referrals }, { admin }, holder, { isOdd }) => {
    const { id } =
      (await everything(db)
        .selectFrom('referral_claim')
        .select('id')
        .where('user_id', '=', holder.id)
        .where('state', '=', 'requested')
        .executeTakeFirst()) ?? {}
    if (!id) return
    if (isOdd) return referrals.decline(admin, { id: `${id}`, reason: 'Please ask again.' })
    expect((await referrals.approve(admin, `${id}`)).status).toBe(200)
    return payClaim({ db, clock }, { id: `${id}`, blockNumber: 101n })
  },
  untilTheEnd: async (stage, { holders }, _holder, { isOdd }) => {
    const { db, clock, world } = stage
    await passDays(world.stakes, 45)
    for (const { address, stakeId } of holders) {
      const released = { stakeId, staker: address, amount: LOCKED as never, at: clock.now() }
      await inTransaction(db, (tx) => bookStakingEvent(world.stakes, tx, releasedEvent(released)))
    }
    if (isOdd) clock.advanceMs(215 * DAY_MS)
    await closeDeadlines(stage)
  },
}

const step: fc.Arbitrary<HistoryStep> = fc.record({
  act: fc.constantFrom(...ACT_NAMES.filter((act) => act !== 'untilTheEnd')),
  who: fc.nat(1),
  size: fc.integer({ min: 1, max: 6 }),
  isOdd: fc.boolean(),
})
/** Any acts, with the last day of both plans at most once. */
export const historySteps = fc
  .tuple(fc.array(step, { minLength: 10, maxLength: 25 }), fc.option(step))
  .map(([played, last]) => (last ? [...played, { ...last, act: 'untilTheEnd' as const }] : played))

/** Produces every kind of item. A minus stands for the referrer, a plus for the odd variant of an act. */
export const HISTORY_TOUR: readonly HistoryStep[] = (
  [
    ...[
      'days',
      'claim+',
      'payOdd+',
      'pay',
      'send',
      'askReferral-',
      'decideReferral-+',
      'askReferral-',
    ],
    ...['decideReferral-', 'days', 'claim', 'days', 'cancel', 'claim+', 'untilTheEnd+'],
  ] as const
).map((word) => ({
  act: word.replaceAll(/[+-]/g, '') as HistoryStep['act'],
  who: word.includes('-') ? 0 : 1,
  size: 4,
  isOdd: word.includes('+'),
}))
