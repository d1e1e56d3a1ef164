import type { StatusReply } from '@dct/api-contract/status'
import { amount, parseUnits } from '@dct/money'
import { beforeEach, expect, test } from 'vitest'
import { raiseAlarm } from '../../platform/alarms/alarms.ts'
import { inTransaction } from '../../platform/database/db.ts'
import { everything } from '../../testing/all-tables.ts'
import { useTestDatabase, wipe } from '../../testing/database.ts'
import { ManualClock } from '../../testing/manual-clock.ts'
import { givenPlan } from '../../testing/plans.ts'
import { givenUser } from '../../testing/users.ts'
import { createPayout } from '../payouts/index.ts'
import { ensureMoneySetting } from '../pricing/index.ts'
import { announceMaintenance, endMaintenance } from './maintenance.ts'
import { readStatus } from './service-status.ts'

const HOUR = 3_600_000
const NOW = '2026-01-31T10:00:00Z'
const database = useTestDatabase()
const clock = new ManualClock(NOW)
const realClock = new ManualClock(NOW)
const before = (ms: number) => new Date(new Date(NOW).getTime() - ms)

const read = (): Promise<StatusReply> =>
  readStatus({ db: database.db, clock, realClock, priceMaxAgeMs: 24 * HOUR })

/** A cursor of a chain whose latest final block is `behindMs` ahead of what is booked. */
async function givenChain(chain: 'TRON' | 'BSC', { behindMs = 0, lookedMs = 1_000 } = {}) {
  await everything(database.db)
    .insertInto('chain_cursor')
    .values({
      chain,
      block_number: 10n,
      block_hash: Buffer.alloc(32, 1),
      block_time: before(20_000 + behindMs),
      final_number: 12n,
      final_time: before(20_000),
      head_number: 20n,
      observed_at: before(lookedMs),
    })
    .execute()
}
const givenLoop = (name: string, report: { failures?: number; silentMs?: number } = {}) =>
  everything(database.db)
    .insertInto('loop_report')
    .values({
      host: 'secret-host',
      name,
      is_idle: true,
      failures: report.failures ?? 0,
      last_error: 'postgres://user:password@secret-host',
      reported_at: before(report.silentMs ?? 0),
    })
    .execute()

beforeEach(async () => {
  await wipe(database.db)
  await givenChain('BSC')
  await givenLoop('watcher')
  await ensureMoneySetting({ db: database.db, clock }, { name: 'price', value: parseUnits('1', 8) })
})

test('an installation that has not yet read one of its chains is not well', async () => {
  expect(await read()).toMatchObject({ is_well: false, chains: [{ chain: 'BSC' }] })
})

test('a healthy installation is well, even before the first join and the first audit', async () => {
  await givenChain('TRON')
  expect(await read()).toMatchObject({
    is_well: true,
    chains: [
      { chain: 'BSC', state: 'current', seconds_behind: 0 },
      { chain: 'TRON', state: 'current', seconds_since_look: 1 },
    ],
    background_work: 'running',
    daily_run: null,
    last_audit: null,
    payouts: [
      { chain: 'TRON', waiting: 0, is_late: false },
      { chain: 'BSC', waiting: 0, is_late: false },
    ],
    price: { at: NOW.replace('Z', '.000Z'), is_current: true },
    are_operators_alerted: false,
  })
})

test.each([
  ['behind', { behindMs: 121_000 }],
  ['silent', { lookedMs: 181_000 }],
])('a chain that is %s makes the service unwell', async (state, facts) => {
  await givenChain('TRON', facts)
  const status = await read()
  expect(status.is_well).toBe(false)
  expect(status.chains[1]?.state).toBe(state)
})

test('a halted chain is reported as halted, whatever else applies', async () => {
  await givenChain('TRON', { lookedMs: HOUR })
  await everything(database.db)
    .insertInto('chain_halt')
    .values({
      chain: 'TRON',
      block_number: 10n,
      expected_hash: Buffer.alloc(32, 1),
      found_hash: Buffer.alloc(32, 2),
      halted_at: before(HOUR),
      ended_at: null,
      changes: null,
    })
    .execute()
  expect((await read()).chains[1]?.state).toBe('halted')
})

test('background work runs partly while a loop fails repeatedly, and is stopped once all loops are silent', async () => {
  await givenLoop('distributor', { failures: 3 })
  expect(await read()).toMatchObject({ background_work: 'partly', is_well: false })
  realClock.set('2026-01-31T10:02:00Z')
  expect((await read()).background_work).toBe('stopped')
  realClock.set(NOW)
})

test('the daily run is late an hour after midnight in UTC+7, not before', async () => {
  const plan = await givenPlan({ db: database.db, clock })
  await everything(database.db)
    .insertInto('distribution_cursor')
    .values({ plan_id: plan.id, plan_code: plan.code, cycles: 360, through_day: '2026-01-30' })
    .execute()
  clock.set('2026-01-30T17:59:00Z')
  expect((await read()).daily_run).toMatchObject({ through_day: '2026-01-30', is_late: false })
  clock.set('2026-01-30T18:01:00Z')
  expect(await read()).toMatchObject({ daily_run: { is_late: true }, is_well: false })
  clock.set(NOW)
})

test('a payment is late once it has been pending for longer than the terms promise', async () => {
  const holder = `0x${'11'.repeat(20)}` as const
  const payout = {
    account: { chain: 'BSC', holder, name: 'direct' },
    cause: 'test:1',
    to: Buffer.alloc(20, 3),
    amount: amount('USDT', 5n),
  } as const
  await inTransaction(database.db, (tx) => createPayout(tx, { ...payout, at: before(23 * HOUR) }))
  const waiting = { chain: 'BSC', waiting: 1, oldest_at: before(23 * HOUR).toISOString() }
  expect((await read()).payouts[1]).toEqual({ ...waiting, is_late: false })
  clock.set(new Date(new Date(NOW).getTime() + 2 * HOUR))
  expect(await read()).toMatchObject({
    payouts: [{}, { ...waiting, is_late: true }],
    is_well: false,
  })
  clock.set(NOW)
})

test('an old price and a critical alarm make the service unwell, and a warning alone does not', async () => {
  await givenChain('TRON')
  await raiseAlarm(database.db, { kind: 'node_down', subject: 'n', message: 'm', at: clock.now() })
  expect(await read()).toMatchObject({ is_well: true, are_operators_alerted: false })
  await raiseAlarm(database.db, { kind: 'audit', subject: 'a', message: 'm', at: clock.now() })
  expect(await read()).toMatchObject({ is_well: false, are_operators_alerted: true })
  clock.set('2026-02-01T10:00:00Z')
  expect((await read()).price).toMatchObject({ is_current: false })
  clock.set(NOW)
})

test('announced maintenance is shown until it is over or ended, and every step is logged', async () => {
  const { id: adminId } = await givenUser({ db: database.db, clock, realClock }, { role: 'admin' })
  const actions: string[] = []
  const deps = {
    ...{ db: database.db, clock, realClock },
    recordAdminAction: async (_tx: unknown, { action }: { action: string }) =>
      void actions.push(action),
  }
  const note = { adminId, texts: { id: 'Pemeliharaan', en: 'Maintenance' } }
  const times = { startsAt: before(-HOUR), endsAt: before(-2 * HOUR) }
  for (const wrong of [
    { startsAt: before(-3 * HOUR) },
    { startsAt: before(2 * HOUR), endsAt: before(HOUR) },
  ]) {
    await expect(announceMaintenance(deps, { ...note, ...times, ...wrong })).rejects.toMatchObject({
      code: 'MAINTENANCE_TIME_INVALID',
    })
  }
  await announceMaintenance(deps, { ...note, ...times })
  await announceMaintenance(deps, { ...note, ...times, endsAt: before(-3 * HOUR) })
  const { notes } = await read()
  expect(notes).toMatchObject([
    { text_id: 'Pemeliharaan', text_en: 'Maintenance', starts_at: before(-HOUR).toISOString() },
    { ends_at: before(-3 * HOUR).toISOString() },
  ])
  const second = BigInt(notes[1]?.id ?? '')
  await endMaintenance(deps, { id: second, adminId })
  await expect(endMaintenance(deps, { id: second, adminId })).rejects.toMatchObject({
    code: 'NOT_FOUND',
  })
  expect((await read()).notes).toHaveLength(1)
  realClock.set(before(-2 * HOUR))
  expect((await read()).notes).toEqual([])
  realClock.set(NOW)
  expect(actions).toEqual([...['maintenance.announce', 'maintenance.announce', 'maintenance.end']])
})

test('the status contains neither hosts nor errors nor addresses', async () => {
  await raiseAlarm(database.db, {
    kind: 'payout.stuck',
    subject: 'payout:1',
    message: 'secret-host holds TXyz',
    at: clock.now(),
  })
  const text = JSON.stringify(await read())
  expect(text).not.toMatch(/secret-host|password|TXyz|payout:1|watcher/)
})
