import {
  HISTORY_KINDS,
  type HistoryItem,
  type HistoryKind,
  type HistoryReply,
} from '@dct/api-contract/history'
import { parseAmount } from '@dct/money'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { DAY_MS, realClock } from '../../../platform/clock.ts'
import { inBooking, inTransaction } from '../../../platform/db.ts'
import { everything } from '../../../testing/all-tables.ts'
import {
  type ClaimsWorld,
  createClaimsWorld,
  givenBscHead,
  givenMarket,
  PAYOUT_WALLET,
  payOut,
  post,
  RECEIVER,
  transferEvent,
} from '../../../testing/claims.ts'
import { createTestDatabase, type TestDatabase, wipe } from '../../../testing/database.ts'
import { elementAt } from '../../../testing/element-at.ts'
import { ManualClock } from '../../../testing/manual-clock.ts'
import { createReferralApp, payClaim, type ReferralApp } from '../../../testing/referral-app.ts'
import { givenFundedPlan, givenStake, passDays, releasedEvent } from '../../../testing/stakes.ts'
import { bearer, givenUser, type TestUser } from '../../../testing/users.ts'
import { hexOf } from '../../chain/index.ts'
import { claimJobs } from '../../claims/claims.jobs.ts'
import { onUsdtTransfer } from '../../claims/index.ts'
import { bookStakingEvent, createSettleLoop } from '../../earnings/index.ts'
import { type Account, account, balanceOf } from '../../ledger/index.ts'
import { creditFee } from '../../referrals/index.ts'
import { historyRoutes } from '../history.routes.ts'

const START = '2026-03-01T03:00:00Z'
const clock = new ManualClock(START)
const LOCKED = parseAmount('DCT', '50')
let database: TestDatabase
let world: ClaimsWorld
let referrals: ReferralApp

beforeAll(async () => {
  database = await createTestDatabase()
  world = await createClaimsWorld(database.db, clock)
  const brand = 'DCT Earning'
  await world.app.register(historyRoutes, { prefix: '/api', ...world, dctDecimals: 6, brand })
  referrals = await createReferralApp(database.db)
})
afterAll(async () => {
  await world.app.close()
  await referrals.app.close()
  await database.drop()
})

/** A holder with a plan of their own, so that the plan's accounts are the holder's. */
type Holder = TestUser & { plan: string; stakeId: bigint }
type Cast = { admin: TestUser; holders: readonly Holder[] }

async function givenCast(): Promise<Cast> {
  await wipe(database.db)
  clock.set(START)
  await givenMarket(world)
  const people = { ...world, realClock }
  const admin = await givenUser(people, { role: 'admin' })
  const referrer = await givenUser(people)
  const referred = await givenUser(people, { referrerId: referrer.id })
  const holders: Holder[] = []
  for (const [index, user] of [referrer, referred].entries()) {
    const code = `OWN-${index}`
    // 0.5 DCT a day: claims are possible from the second day, and the last days lapse without one.
    const plan = await givenFundedPlan(world.stakes, { code, durationDays: 40, rateBps: 4_000 })
    const stakeId = await givenStake(world.stakes, { plan, staker: user.address, amount: LOCKED })
    holders.push({ ...user, plan: code, stakeId })
  }
  return { admin, holders }
}

const ACT_NAMES = [
  ...(['days', 'claim', 'pay', 'payOdd', 'cancel', 'send'] as const),
  ...(['askReferral', 'decideReferral', 'untilTheEnd'] as const),
] as const
type ActName = (typeof ACT_NAMES)[number]
type Step = { act: ActName; who: number; size: number; isOdd: boolean }
type Act = (cast: Cast, holder: Holder, step: Step) => Promise<unknown>

const claimsOf = (holder: Holder) =>
  everything(database.db).selectFrom('claim').selectAll().where('staker', '=', holder.address)
const openClaim = (holder: Holder) =>
  claimsOf(holder).where('state', '=', 'awaiting_fee').executeTakeFirst()

/** Handles a payment of USDT like the watcher, with referrers credited for real. */
async function receiveUsdt(value: bigint) {
  const event = transferEvent(world, { value })
  const deps = {
    clock,
    creditReferrals: (tx: Parameters<typeof creditFee>[1], fee: Parameters<typeof creditFee>[2]) =>
      creditFee({ directRateBps: 1_000n }, tx, fee),
    feeReceivers: [RECEIVER],
    payoutWallets: [PAYOUT_WALLET],
  }
  await inBooking(database.db, (tx) => onUsdtTransfer(deps, tx, event))
  return event
}

/** Runs what workers do at the end of the long deadlines. */
async function closeDeadlines() {
  await givenBscHead(world, 5_000n)
  const facts = { id: 1n, queue: 'claims.close', key: 'daily', payload: {}, attempts: 0 }
  await inTransaction(database.db, async (tx) => claimJobs({ clock })['claims.close']?.(tx, facts))
  await createSettleLoop({ db: database.db, clock }).step()
}

const ACTS: Record<ActName, Act> = {
  days: async (_cast, _holder, { size }) => passDays(world.stakes, size),
  claim: (_cast, holder, { isOdd }) =>
    post(world, holder, '/user/claim', {
      earning_plan_code: holder.plan,
      claim_type: isOdd ? 'HALF' : 'FULL',
    }),
  pay: async (_cast, holder) => {
    const claim = await openClaim(holder)
    if (claim) await receiveUsdt(claim.exact_amount)
  },
  payOdd: async ({ admin }, holder, { isOdd }) => {
    const claim = await openClaim(holder)
    if (!claim) return
    const { txHash, logIndex } = await receiveUsdt(claim.exact_amount + 1n)
    if (!isOdd) return
    const refund_tx_hash = hexOf(Buffer.alloc(32, 7))
    const payload = { tx_hash: hexOf(txHash), log_index: logIndex, refund_tx_hash }
    await post(world, admin, '/admin/unmatched-payments/refunded', payload)
  },
  cancel: async (_cast, holder) => {
    const claim = await openClaim(holder)
    if (claim) await post(world, holder, '/user/cancel-claim', { code_claim: claim.code_claim })
  },
  send: async (_cast, { address }) => {
    const due = everything(database.db).selectFrom('payout').select('cause')
    const open = due.where('to_address', '=', address).where('state', '=', 'queued')
    for (const { cause } of await open.execute()) await payOut(world, cause)
  },
  askReferral: (_cast, holder) => referrals.claim(holder),
  decideReferral: async ({ admin }, holder, { isOdd }) => {
    const { id } =
      (await everything(database.db)
        .selectFrom('referral_claim')
        .select('id')
        .where('user_id', '=', holder.id)
        .where('state', '=', 'requested')
        .executeTakeFirst()) ?? {}
    if (!id) return
    if (isOdd) return referrals.decline(admin, { id: `${id}`, reason: 'Please ask again.' })
    expect((await referrals.approve(admin, `${id}`)).status).toBe(200)
    return payClaim({ db: database.db, clock }, { id: `${id}`, blockNumber: 101n })
  },
  untilTheEnd: async ({ holders }, _holder, { isOdd }) => {
    await passDays(world.stakes, 45)
    for (const { address, stakeId } of holders) {
      const released = { stakeId, staker: address, amount: LOCKED as never, at: clock.now() }
      await inTransaction(database.db, (tx) =>
        bookStakingEvent(world.stakes, tx, releasedEvent(released)),
      )
    }
    if (isOdd) clock.advanceMs(215 * DAY_MS)
    await closeDeadlines()
  },
}

async function historyOf(holder: TestUser, query = ''): Promise<HistoryReply> {
  const url = `/api/user/history?${query}`
  const answer = await world.app.inject({ url, headers: bearer(holder) })
  expect([query, answer.statusCode, answer.body]).toEqual([query, 200, answer.body])
  return answer.json()
}

/** The whole history, page by page. */
async function readPages(holder: TestUser, query: string): Promise<HistoryItem[]> {
  const items: HistoryItem[] = []
  let next: string | null = ''
  while (next !== null) {
    const page: HistoryReply = await historyOf(holder, `${query}${next && `&after=${next}`}`)
    items.push(...page.items)
    next = page.next
  }
  return items
}

const units = ({ asset, amount }: HistoryItem) =>
  asset === null ? 0n : parseAmount(asset, amount ?? '0')
const sumOf = (items: readonly HistoryItem[], ...kinds: HistoryKind[]) =>
  items.filter(({ kind }) => kinds.includes(kind)).reduce((sum, item) => sum + units(item), 0n)

/** What the books say of a holder, and the same from the holder's history. */
async function compare({ id, plan }: Holder, items: readonly HistoryItem[]) {
  const sum = (...kinds: HistoryKind[]) => sumOf(items, ...kinds)
  const dct = (of: Account) => balanceOf(database.db, { asset: 'DCT', account: of })
  const usdt = (of: Account) => balanceOf(database.db, { asset: 'USDT', account: of })
  const claimed = sum('claim_made') - sum('claim_cancelled')
  return {
    books: {
      locked: await dct(account.principal(plan)),
      unclaimed: await dct(account.credited(plan)),
      lost: await dct(account.lapsed(plan)),
      paid: parseAmount('DCT', '10000') - (await dct(account.chainPool(plan))),
      referral:
        (await usdt(account.referralDirect(id))) + (await usdt(account.referralIndirect(id))),
    },
    history: {
      locked: sum('capital_locked') - sum('capital_returned'),
      unclaimed: sum('reward') - claimed - sum('reward_expired'),
      lost: sum('reward_lapsed', 'reward_expired', 'claim_lapsed'),
      paid: sum('reward_sent'),
      referral:
        sum('referral_reward') -
        sum('referral_claim_made') +
        sum('referral_claim_declined', 'referral_claim_returned'),
    },
  }
}

const step: fc.Arbitrary<Step> = fc.record({
  act: fc.constantFrom(...ACT_NAMES.filter((act) => act !== 'untilTheEnd')),
  who: fc.nat(1),
  size: fc.integer({ min: 1, max: 6 }),
  isOdd: fc.boolean(),
})
/** Any acts, the last day of both plans at most once. */
const stories = fc
  .tuple(fc.array(step, { minLength: 10, maxLength: 25 }), fc.option(step))
  .map(([played, last]) => (last ? [...played, { ...last, act: 'untilTheEnd' as const }] : played))

/** Leads to every kind of item. A minus is for the referrer, a plus for the odd variant of an act. */
const TOUR: readonly Step[] = (
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
  act: word.replaceAll(/[+-]/g, '') as Step['act'],
  who: word.includes('-') ? 0 : 1,
  size: 4,
  isOdd: word.includes('+'),
}))

async function play(cast: Cast, played: readonly Step[]) {
  for (const step of played) {
    referrals.clock.set(clock.now().toISOString())
    await ACTS[step.act](cast, elementAt(cast.holders, step.who), step)
    clock.advanceMs(60_000)
  }
}

test('whatever happened, the sums of each history equal the ledger, however it is read', async () => {
  const kinds = new Set<HistoryKind>()
  await fc.assert(
    fc.asyncProperty(stories, fc.integer({ min: 1, max: 30 }), async (played, limit) => {
      const cast = await givenCast()
      await play(cast, played)
      const all: HistoryItem[] = []
      for (const holder of cast.holders) {
        const items = await readPages(holder, `limit=${limit}`)
        all.push(...items)
        const { books, history } = await compare(holder, items)
        expect(history).toEqual(books)
        // Every page size, both directions and months instead of days say the same.
        expect(new Set(items.map(({ id }) => id)).size).toBe(items.length)
        expect(items.map(({ at }) => at)).toEqual(
          items
            .map(({ at }) => at)
            .toSorted()
            .reverse(),
        )
        const upwards = await readPages(holder, 'limit=100&sort_order=asc')
        expect(upwards.toReversed()).toEqual(items)
        const monthly = await readPages(holder, `limit=${limit}&rewards=monthly`)
        expect((await compare(holder, monthly)).history).toEqual(books)
      }
      const usdt = (of: Account) => balanceOf(database.db, { asset: 'USDT', account: of })
      const unmatched = sumOf(all, 'payment_unmatched')
      expect(await usdt(account.feeReceiver)).toBe(sumOf(all, 'fee_paid') + unmatched)
      expect(await usdt(account.suspense)).toBe(unmatched - sumOf(all, 'payment_refunded'))
      for (const { kind } of all) kinds.add(kind)
    }),
    {
      numRuns: 5,
      seed: 15,
      examples: [[[...TOUR], 7]],
    },
  )
  const { account: _, capital, rewards, claims, referrals: shares } = HISTORY_KINDS
  const seldom = ['join_failed', 'referral_claim_returned']
  const common = [...capital, ...rewards, ...claims, ...shares].filter((k) => !seldom.includes(k))
  expect([...kinds]).toEqual(expect.arrayContaining(common))
})
