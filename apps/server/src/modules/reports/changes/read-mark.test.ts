import { createEvmClient } from '@dct/chain-clients'
import { parseAmount } from '@dct/money'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type BusinessDay, realClock } from '../../../platform/clock.ts'
import { inTransaction } from '../../../platform/database/db.ts'
import { listenForSignals, signal } from '../../../platform/database/signals.ts'
import { HOLDER_CHANGES } from '../../../platform/database/wake-pages.ts'
import type { App } from '../../../platform/http/http.ts'
import { createLogger } from '../../../platform/logger.ts'
import { everything } from '../../../testing/all-tables.ts'
import { useTestDatabase } from '../../../testing/database.ts'
import { elementAt } from '../../../testing/element-at.ts'
import {
  type Cast,
  createHistoryWorld,
  HISTORY_TOUR,
  type HistoryStep,
  type HistoryWorld,
  type Holder,
  historySteps,
} from '../../../testing/random-histories.ts'
import { setRate, stake } from '../../../testing/referrals.ts'
import { givenFundedPlan, givenStake, hashOf } from '../../../testing/stakes.ts'
import { bearer, givenUser } from '../../../testing/users.ts'
import { openSession } from '../../auth/sessions.ts'
import { recordHint, saveHint } from '../../claims/payments.queries.ts'
import { earningsRoutes } from '../../earnings/earnings.routes.ts'
import { failAnnouncedJoin, upsertWaiting } from '../../earnings/joining/announced-joins.queries.ts'
import { channelsOf } from '../../messages/channels.queries.ts'
import { messagesRoutes } from '../../messages/messages.routes.ts'
import { confirmEmail } from '../../messages/set-email.ts'
import { issueToken } from '../../messages/tokens.ts'
import { createDownlineLoop } from '../../referrals/index.ts'
import { readMark } from './read-mark.ts'

const database = useTestDatabase()
let histories: HistoryWorld

beforeAll(async () => {
  histories = await createHistoryWorld(database.db)
  const { world } = histories
  await world.app.register(earningsRoutes, {
    ...{ prefix: '/api', ...world.stakes, dctDecimals: 6, log: createLogger('silent') },
    tron: { reader: createEvmClient({ url: 'http://127.0.0.1:9' }), staking: '0x5a' },
    requestRelease: async () => undefined,
  })
  await world.app.register(messagesRoutes, {
    ...{ prefix: '/api', db: database.db, realClock, isLocalPushAllowed: true },
    offered: { email: true, telegram: true, pushKey: null },
  })
})
afterAll(() => histories.close())

/** Events in addition to those of a history of money. */
const MORE_NAMES = [
  ...(['announceJoin', 'failJoin', 'bookJoin', 'nameHash', 'newcomer', 'newcomerJoins'] as const),
  ...(['rate', 'email', 'confirmEmail', 'choice', 'session', 'endSessions'] as const),
] as const
type MoreStep = Omit<HistoryStep, 'act'> & { act: (typeof MORE_NAMES)[number] }
type AnyStep = HistoryStep | MoreStep
type More = (holder: Holder, step: MoreStep) => Promise<unknown>

const people = () => ({ db: database.db, clock: histories.clock, realClock })
const inTx = <T>(work: Parameters<typeof inTransaction<T>>[1]) => inTransaction(database.db, work)
const call = (app: App, method: 'PUT' | 'DELETE', holder: Holder, url: string, payload?: object) =>
  app.inject({ method, url: `/api${url}`, headers: bearer(holder), ...(payload && { payload }) })
const waitingJoin = (holder: Holder) =>
  everything(database.db)
    .selectFrom('announced_join')
    .select(['tx_hash as txHash', 'plan_code as planCode', 'user_id as userId'])
    .where('staker', '=', holder.address)
    .where('state', '=', 'WAITING')
    .executeTakeFirst()
let joins = 0

const MORE: Record<MoreStep['act'], More> = {
  async announceJoin({ id: userId, address: staker }) {
    if (await waitingJoin({ address: staker } as Holder)) return
    joins += 1
    const join = { userId, staker, planCode: `NEW-${joins}`, txHash: hashOf(`join ${joins}`) }
    const terms = { amount: parseAmount('DCT', '10'), reward: 1n, cycles: 40 }
    const announcedAt = histories.clock.now()
    await inTx((tx) => upsertWaiting(tx, { ...join, ...terms, announcedAt }))
  },
  async failJoin(holder) {
    const join = await waitingJoin(holder)
    if (join) await inTx((tx) => failAnnouncedJoin(tx, { ...join, reason: 'LOCK_FAILED' }))
  },
  async bookJoin(holder) {
    const join = await waitingJoin(holder)
    if (!join) return
    const { stakes } = histories.world
    const plan = await givenFundedPlan(stakes, { code: join.planCode, durationDays: 40 })
    await givenStake(stakes, { plan, staker: holder.address, txHash: join.txHash })
  },
  async nameHash({ address }, { isOdd }) {
    const claim = await everything(database.db)
      .selectFrom('claim')
      .select('id')
      .where('staker', '=', address)
      .where('state', '=', 'awaiting_fee')
      .executeTakeFirst()
    if (!claim) return
    const hint = { claimId: claim.id, txHash: hashOf('payment'), at: histories.clock.now() }
    await saveHint(database.db, hint)
    const problem = { code: 'PAYMENT_FAILED', message: 'The transaction failed.' }
    if (isOdd) await inTx((tx) => recordHint(tx, { ...hint, problem }))
  },
  newcomer: ({ id }) => givenUser(people(), { referrerId: id }),
  async newcomerJoins({ id }) {
    const { address } = await givenUser(people(), { referrerId: id })
    await stake(people(), { address, dct: '12' })
  },
  rate: ({ id }, { size }) => setRate(people(), { userId: id, bps: size * 100 }),
  email: (holder, { size }) =>
    call(histories.world.app, 'PUT', holder, '/user/messages/email', {
      ...{ address: `holder${size}@example.org`, language: 'en' },
    }),
  async confirmEmail({ id }) {
    const [channel] = await channelsOf(database.db, id)
    if (!channel || channel.confirmed_at !== null) return
    const what = { purpose: 'confirm_email', user_id: id, channel_id: channel.id } as const
    const asked = { ...what, message_kind: null }
    const { token } = await inTx((tx) => issueToken(tx, asked, realClock.now()))
    await confirmEmail(people(), token)
  },
  choice: (holder, { isOdd }) =>
    call(histories.world.app, 'PUT', holder, '/user/messages/choices', {
      ...{ kind: 'fee_seen', channel: 'email', is_wanted: isOdd },
    }),
  session: ({ id: userId }) =>
    inTx((tx) => {
      const client = { ip: '127.0.0.1', userAgent: 'another' }
      return openSession({ realClock }, tx, { userId, role: 'user', client })
    }),
  endSessions: ({ id, token }) =>
    inTx(async (tx) => {
      const kept = hashOf(token)
      const own = everything(tx).deleteFrom('auth_session').where('user_id', '=', id)
      await own.where('token_hash', '!=', kept).execute()
    }),
}

/**
 * Pages on which holders wait for events, so those events must be announced rather than only found by the next poll.
 */
const AWAITED = [
  '/user/pending-claim-fees?is_paid=false',
  '/user/pending-claim-fees?is_paid=true',
  '/user/get-claimed-rewards',
  '/user/earnings',
  '/user/messages',
]
/** After these acts the holder already sees the response, or nobody is waiting. */
const OWN_ACTS: readonly string[] = [
  ...['days', 'claim', 'cancel', 'untilTheEnd', 'announceJoin', 'email', 'choice', 'session'],
]

const URLS = {
  money: [
    ...AWAITED,
    ...['/user/user-earning-history', '/user/claimable-reward', '/user/claim-history'],
    ...['/user/reward-distribution-history', '/user/history', '/user/history?rewards=monthly'],
  ],
  referrals: [
    ...['/auth/me', '/auth/referrals', '/user/referral-summary', '/user/referral-tree'],
    ...['/user/referral-earnings?by=month', '/user/referral-reward-history'],
    ...['/user/referral-claim-pool-history'],
  ],
}

/** Fields that change with time or through other holders, and fields that no page shows by itself. */
const NOT_OWN = [
  ...['estimated_fee_usdt', 'value_usdt', 'net_usdt', 'costs_more_than_it_brings', 'usual_wait'],
  ...['waited_seconds', 'last_seen_at', 'change_mark'],
]
const withoutOthers = (key: string, value: unknown) => (NOT_OWN.includes(key) ? undefined : value)

type Looks = { pages: Record<string, string>; mark: string }

async function look(holder: Holder): Promise<Looks> {
  const { world, referrals } = histories
  const progress = `/user/earnings/${holder.plan}/progress`
  const asked = [
    ...[...URLS.money, progress].map((url) => [world.app, url] as const),
    ...URLS.referrals.map((url) => [referrals.app, url] as const),
  ]
  const pages = await Promise.all(
    asked.map(async ([app, url]) => {
      const answer = await app.inject({ url: `/api${url}`, headers: bearer(holder) })
      expect([url, answer.statusCode]).toEqual([url, 200])
      return [url, JSON.stringify(JSON.parse(answer.body, withoutOthers))] as const
    }),
  )
  return { pages: Object.fromEntries(pages), mark: await readMark(database.db, holder) }
}

const changes = (before: Looks, after: Looks) =>
  Object.keys(after.pages).filter((url) => before.pages[url] !== after.pages[url])

const isMore = (step: AnyStep): step is MoreStep => Object.hasOwn(MORE, step.act)

async function play(cast: Cast, step: AnyStep): Promise<void> {
  if (isMore(step)) await MORE[step.act](elementAt(cast.holders, step.who), step)
  else await histories.play(cast, step)
  while (!(await createDownlineLoop({ db: database.db, pauseMs: 0 }).step()));
}

const more: fc.Arbitrary<MoreStep> = fc.record({
  act: fc.constantFrom(...MORE_NAMES),
  who: fc.nat(1),
  size: fc.integer({ min: 1, max: 6 }),
  isOdd: fc.boolean(),
})
const anySteps = fc
  .tuple(historySteps, fc.array(more, { minLength: 4, maxLength: 8 }))
  .map(([history, others]): AnyStep[] =>
    history.flatMap((step, index) => [step, ...others.slice(index, index + 1)]),
  )
/** Everything at least once. */
const TOUR: AnyStep[] = [
  ...HISTORY_TOUR.slice(0, 2),
  ...MORE_NAMES.flatMap((act) => [
    { act, who: 1, size: 2, isOdd: true },
    ...(act === 'failJoin' ? [{ act: 'announceJoin', who: 1, size: 2, isOdd: true } as const] : []),
  ]),
  ...HISTORY_TOUR.slice(2),
]

/** Listens like an api process. `heard` returns and clears the signals so far. */
async function listen() {
  const announced = new Set<string>()
  let ends = 0
  const listener = listenForSignals(
    { url: database.url },
    {
      onSignal: {
        [HOLDER_CHANGES]: (whom) => announced.add(whom),
        end: () => {
          ends += 1
        },
      },
      onLost: () => undefined,
    },
  )
  await expect.poll(() => listener.isLive()).toBe(true)
  return {
    stop: () => listener.stop(),
    async heard(): Promise<ReadonlySet<string>> {
      const before = ends
      await signal(database.db, 'end', ['end'])
      await expect.poll(() => ends, { interval: 2 }).toBe(before + 1)
      const all = new Set(announced)
      announced.clear()
      return all
    },
  }
}

/**
 * Plays the steps and expects a new mark after each that changes a page, and a signal if the change is awaited.
 * @returns the pages that changed
 */
async function expectChanges(steps: readonly AnyStep[]): Promise<ReadonlySet<string>> {
  const listener = await listen()
  const seen = new Set<string>()
  const cast = await histories.givenCast()
  let before = await Promise.all(cast.holders.map(look))
  for (const step of steps) {
    await play(cast, step)
    const after = await Promise.all(cast.holders.map(look))
    const heard = await listener.heard()
    for (const [index, holder] of cast.holders.entries()) {
      const [old, now] = [elementAt(before, index), elementAt(after, index)]
      const changed = changes(old, now)
      for (const url of changed) seen.add(url)
      const missed = old.mark === now.mark ? changed : []
      expect([step.act, missed]).toEqual([step.act, []])
      const isAwaited = changed.some((url) => AWAITED.includes(url))
      if (!isAwaited || OWN_ACTS.includes(step.act)) continue
      const isHeard = heard.has(`${holder.id}`) || heard.has(holder.address.toString('hex'))
      expect([step.act, isHeard]).toEqual([step.act, true])
    }
    before = after
  }
  await listener.stop()
  return seen
}

test('whatever changes on a page of a holder changes the mark, and awaited events are announced', async () => {
  const seen = await expectChanges(TOUR)
  const silent = [...URLS.money, ...URLS.referrals].filter((url) => !seen.has(url))
  expect(silent).toEqual([])
})

test('the same holds for random histories', async () => {
  await fc.assert(
    fc.asyncProperty(anySteps, async (steps) => void (await expectChanges(steps))),
    { numRuns: 2, seed: 21 },
  )
})

test('a mark remains the same while nothing happens, and identifies the holder’s own part', async () => {
  const { holders } = await histories.givenCast()
  const [one, other] = [elementAt(holders, 0), elementAt(holders, 1)]
  const marks = async () => [await readMark(database.db, one), await readMark(database.db, other)]
  const before = await marks()
  expect(await marks()).toEqual(before)
  const parts = (mark = '') => mark.split('-')
  await setRate(people(), { userId: one.id, bps: 700 })
  const own = await marks()
  expect(own[1]).toBe(before[1])
  expect(parts(own[0])[0]).not.toBe(parts(before[0])[0])
  expect(parts(own[0])[1]).toBe(parts(before[0])[1])

  await histories.play({ admin: one, holders }, { act: 'days', who: 0, size: 1, isOdd: false })
  const run = await marks()
  expect(run.map((mark) => parts(mark)[0])).toEqual(own.map((mark) => parts(mark)[0]))
  expect(run.map((mark) => parts(mark)[1])).not.toEqual(own.map((mark) => parts(mark)[1]))

  const exempt = { day: '2031-01-01' as BusinessDay, reason: 'late_run' } as const
  const recorded_at = histories.clock.now()
  await everything(database.db)
    .insertInto('exempt_day')
    .values({ ...exempt, recorded_at })
    .execute()
  const left = await marks()
  expect(left.map((mark) => parts(mark)[0])).toEqual(run.map((mark) => parts(mark)[0]))
  expect(left.map((mark) => parts(mark)[1])).not.toEqual(run.map((mark) => parts(mark)[1]))
})
