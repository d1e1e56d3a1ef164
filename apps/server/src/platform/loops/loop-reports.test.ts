import { beforeEach, expect, test } from 'vitest'
import { useTestDatabase, wipe } from '../../testing/database.ts'
import { ManualClock } from '../../testing/manual-clock.ts'
import { DAY_MS } from '../clock.ts'
import type { LoopStatus } from './loop.ts'
import { createReportLoop, loopReports } from './loop-reports.ts'

const clock = new ManualClock('2026-01-10T03:00:00Z')
const database = useTestDatabase()
beforeEach(() => wipe(database.db))

const STEPS = { steps: { succeeded: 1, failed: 0 }, succeededAt: null }
const FINE: LoopStatus = { name: 'jobs', isIdle: true, failures: 0, lastError: null, ...STEPS }
const BROKEN: LoopStatus = { ...FINE, name: 'tron', failures: 3, lastError: 'no answer' }

test('a process reports the state of its loops, and a new report replaces the previous one', async () => {
  let status = [FINE, BROKEN]
  const { db } = database
  const loop = createReportLoop({ db, realClock: clock, status: () => status, host: 'worker-1' })
  await loop.step()
  expect(await loopReports(db, clock.now())).toMatchObject([
    { host: 'worker-1', name: 'jobs', failures: 0, last_error: null, isSilent: false },
    { host: 'worker-1', name: 'tron', failures: 3, last_error: 'no answer' },
  ])
  status = [FINE, { ...BROKEN, failures: 0, lastError: null }]
  await loop.step()
  expect((await loopReports(db, clock.now()))[1]).toMatchObject({ failures: 0, last_error: null })
})

test('an error with bytes of somebody else silences neither its loop nor its process', async () => {
  const { db } = database
  const lastError = `a.example.org: \u001f\u008b\0${'x'.repeat(2_000)}\ud83d`
  await createReportLoop({
    ...{ db, realClock: clock, host: 'worker-1' },
    status: () => [FINE, { ...BROKEN, lastError }],
  }).step()
  const [, broken] = await loopReports(db, clock.now())
  expect(broken?.last_error).toMatch(/^a\.example\.org: x+$/)
})

test('a process without a report for a minute is shown as silent, and deleted after a day', async () => {
  const { db } = database
  const report = (host: string) =>
    createReportLoop({ db, realClock: clock, status: () => [FINE], host }).step()
  await report('old')
  clock.advanceMs(60_001)
  await report('new')
  const silent = async () =>
    (await loopReports(db, clock.now())).map(({ host, isSilent }) => [host, isSilent])
  expect(await silent()).toEqual([
    ['new', false],
    ['old', true],
  ])
  clock.advanceMs(DAY_MS - 1)
  await report('new')
  expect(await silent()).toEqual([['new', false]])
})
