import { beforeEach, expect, test } from 'vitest'
import { businessDayOf } from '../../platform/clock.ts'
import { inTransaction } from '../../platform/database/db.ts'
import { everything } from '../../testing/all-tables.ts'
import { useTestDatabase } from '../../testing/database.ts'
import type { ManualClock } from '../../testing/manual-clock.ts'
import {
  freshMessages,
  givenEmail,
  type MessagesWorld,
  readMail,
} from '../../testing/messages-world.ts'
import { drain } from '../../testing/outbox-world.ts'
import { dct } from '../../testing/plans.ts'
import { givenFundedPlan, givenStake, passDays, stakeDeps } from '../../testing/stakes.ts'
import type { TestUser } from '../../testing/users.ts'
import { createSettleLoop } from './distribution/settle-ended.ts'
import { createEarningMessages } from './earning-messages.ts'
import { closeOpenFee, takeClaimable } from './index.ts'

const database = useTestDatabase()
let clock: ManualClock
let world: MessagesWorld
let holder: TestUser
let areClaimsOpen: boolean

beforeEach(async () => {
  ;({ clock, world, holder } = await freshMessages(database.db))
  areClaimsOpen = true
})

const deps = () => ({ ...stakeDeps({ db: database.db, clock }), clock })
/** A new instance each time, as after a restart. */
const messages = () =>
  createEarningMessages({
    ...{ db: database.db, clock, dctDecimals: 6, pauseMs: 0 },
    areClaimsOpen: async () => areClaimsOpen,
  })
const SHORT = { durationDays: 8, rateBps: 160 }
/** The messages that the holder has received, after each loop has run twice. */
async function told(): Promise<string[]> {
  await drain(messages())
  await drain(messages())
  await world.deliver()
  return Promise.all(world.mail.mails.map(async (mail) => (await readMail(mail)).subject ?? ''))
}
const bodies = () => Promise.all(world.mail.mails.map(async (mail) => (await readMail(mail)).body))
async function stake(amount = '50', terms: Parameters<typeof givenFundedPlan>[1] = {}) {
  const plan = await givenFundedPlan(deps(), terms)
  await givenStake(deps(), { plan, staker: holder.address, amount: dct(amount) })
}
const claim = () =>
  inTransaction(database.db, (tx) =>
    takeClaimable(tx, { staker: holder.address, planCode: 'PLAN-360', now: clock.now() }),
  )

test('a holder is notified once when a claim is possible, 7, 3 and 1 day before the freeze, when the earning has frozen, and when it loses rewards', async () => {
  await givenEmail(database.db, holder, 'holder@example.com')
  await stake()
  const byDay: Record<number, string[]> = {}
  for (let day = 1, before = 0; day <= 34; day += 1) {
    await passDays(deps(), 1)
    const all = await told()
    if (all.length > before) byDay[day] = all.slice(before)
    before = all.length
  }
  // At 0.1 DCT a day, the minimum claim is reached on the sixth day; the freeze is on the thirtieth.
  expect(byDay).toEqual({
    6: ['DCT Earning: You can claim from PLAN-360'],
    23: ['DCT Earning: PLAN-360 freezes in 7 days'],
    27: ['DCT Earning: PLAN-360 freezes in 3 days'],
    29: ['DCT Earning: PLAN-360 freezes in 1 day'],
    30: ['DCT Earning: Your earning in PLAN-360 is frozen'],
    34: ['DCT Earning: You are losing rewards in PLAN-360'],
  })
  const [, first = ''] = await bodies()
  expect((await bodies()).at(-1)).toContain(
    'Since 13 Feb 2026, each day’s reward from PLAN-360 is lost, 0.100000 DCT so far. Please claim now.',
  )
  expect(first).toContain('freezes on 9 Feb 2026 unless you claim before that day.')
  expect(first).toContain('from 13 Feb 2026 on, each day’s reward is lost until you claim.')
  expect(first).not.toContain('fee')
})

test('when time jumps, only the latest reminder is sent', async () => {
  await givenEmail(database.db, holder, 'holder@example.com', 'id')
  await stake()
  await passDays(deps(), 28)
  // They are sent concurrently.
  expect((await told()).toSorted()).toEqual([
    'DCT Earning: Anda dapat melakukan klaim pada PLAN-360',
    'DCT Earning: PLAN-360 akan dibekukan dalam 2 hari',
  ])
  await passDays(deps(), 3)
  expect((await told()).slice(2)).toEqual(['DCT Earning: Earning Anda di PLAN-360 dibekukan'])
})

test('after a claim the messages start over: the next one is sent once the fee is paid and the minimum is reached', async () => {
  await givenEmail(database.db, holder, 'holder@example.com')
  await stake()
  await passDays(deps(), 6)
  const before = (await told()).length
  const { earningId } = await claim()
  await passDays(deps(), 8)
  expect(await told()).toHaveLength(before)
  await inTransaction(database.db, (tx) => closeOpenFee(tx, { earningId }))
  expect((await told()).slice(before)).toEqual(['DCT Earning: You can claim from PLAN-360'])
  expect((await bodies()).at(-1)).toContain('0.800000 DCT')
})

test('a reminder names the open fee that prevents a claim', async () => {
  await givenEmail(database.db, holder, 'holder@example.com')
  await stake()
  await passDays(deps(), 6)
  await claim()
  await passDays(deps(), 23)
  expect((await told()).at(-1)).toBe('DCT Earning: PLAN-360 freezes in 7 days')
  expect((await bodies()).at(-1)).toContain('please pay the open fee of your last claim first')
})

test('a reminder never asks for a claim that is not possible before the freeze', async () => {
  await givenEmail(database.db, holder, 'holder@example.com')
  await stake('10')
  await passDays(deps(), 23)
  expect(await told()).toEqual(['DCT Earning: PLAN-360 freezes in 7 days'])
  const [body = ''] = await bodies()
  expect(body).toContain('It reaches the minimum claim only on 9 Feb 2026')
  expect(body).toContain('Please claim before 13 Feb 2026')
  expect(body).not.toContain('unless you claim before that day')
})

const DAY = 86_400_000
const shown = (day: string) =>
  new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' }).format(new Date(day))

test('a holder is reminded 30, 7 and 1 day before what the ended earning still holds is lost, and told of the loss', async () => {
  await givenEmail(database.db, holder, 'holder@example.com')
  await stake('50', SHORT)
  await passDays(deps(), 9)
  const before = (await told()).length
  const { ends_at: end } = await everything(database.db)
    .selectFrom('earning')
    .select('ends_at')
    .executeTakeFirstOrThrow()
  const at = (days: number) => clock.set(new Date(end.getTime() + days * DAY))
  for (const day of [140, 149, 150, 172, 173, 178, 179]) {
    at(day)
    await told()
  }
  expect((await told()).slice(before)).toEqual([
    'DCT Earning: 30 days left to claim from PLAN-360',
    'DCT Earning: 7 days left to claim from PLAN-360',
    'DCT Earning: 1 day left to claim from PLAN-360',
  ])
  const last = businessDayOf(new Date(end.getTime() + 179 * DAY))
  expect((await bodies()).at(-1)).toContain(
    `ended with 0.800000 DCT unclaimed. The last day to claim is ${shown(last)}; after it they are lost.`,
  )

  at(181)
  await drain(createSettleLoop({ db: database.db, clock }))
  expect((await told()).at(-1)).toBe('DCT Earning: Rewards from PLAN-360 have lapsed')
  expect((await bodies()).at(-1)).toContain('0.800000 DCT from your ended earning in PLAN-360')
})

test('a holder is reminded before the fee of the last claim can no longer be paid', async () => {
  await givenEmail(database.db, holder, 'holder@example.com')
  await stake('50', SHORT)
  await passDays(deps(), 9)
  await claim()
  const before = (await told()).length
  clock.set(new Date(clock.now().getTime() + 200 * DAY))
  expect((await told()).slice(before)).toEqual([
    expect.stringMatching(/^DCT Earning: \d days left to pay your fee in PLAN-360$/),
  ])
  expect((await bodies()).at(-1)).toMatch(/The last day to pay it is \d+ \w+ 2026; after it/)
})

test('no claim is announced while claims are closed; it is announced when they open', async () => {
  await givenEmail(database.db, holder, 'holder@example.com')
  await stake()
  areClaimsOpen = false
  await passDays(deps(), 10)
  expect(await told()).toEqual([])
  areClaimsOpen = true
  expect(await told()).toEqual(['DCT Earning: You can claim from PLAN-360'])
})

test('several workers send each message once, and a holder who subscribes later is notified of the state at that time', async () => {
  await stake()
  await passDays(deps(), 24)
  expect(await told()).toEqual([])
  expect(await database.db.selectFrom('earning_message').selectAll().execute()).toEqual([])
  await givenEmail(database.db, holder, 'holder@example.com')
  await Promise.all([1, 2, 3, 4].map(() => drain(messages())))
  expect((await told()).toSorted()).toEqual([
    'DCT Earning: PLAN-360 freezes in 6 days',
    'DCT Earning: You can claim from PLAN-360',
  ])
})
