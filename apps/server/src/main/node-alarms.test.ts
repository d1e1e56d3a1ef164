import { createNodeStanding, NodeUnavailable } from '@dct/chain-clients'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openAlarms, raiseAlarm } from '../platform/alarms.ts'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'
import { ManualClock } from '../testing/manual-clock.ts'
import { createNodeAlarmLoop } from './node-alarms.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database?.drop())

test('a node in trouble is named by its host until it has recovered; other alarms stay', async () => {
  const realClock = new ManualClock(new Date('2026-01-10T05:00:00Z'))
  const at = realClock.now()
  const standing = createNodeStanding('a.example.org', () => realClock.now().getTime())
  const loop = createNodeAlarmLoop({
    ...{ db: database.db, realClock },
    nodes: { TRON: [standing], BSC: [] },
  })
  const passSeconds = (count: number) => {
    realClock.set(new Date(realClock.now().getTime() + count * 1_000))
  }
  const open = async () => {
    await loop.step()
    const alarms = await openAlarms(database.db)
    return alarms.map(({ kind, subject, message }) => ({ kind, subject, message }))
  }
  const other = { kind: 'chain_halt', subject: 'TRON', message: 'Halted.' } as const
  await raiseAlarm(database.db, { ...other, at })
  await raiseAlarm(database.db, {
    ...{ kind: 'node_down', subject: 'TRON removed.example.org', message: 'Gone.', at },
  })
  standing.failed(new NodeUnavailable('a.example.org could not be reached'))
  expect(await open()).toEqual([other])
  passSeconds(60)
  expect(await open()).toEqual([
    other,
    {
      ...{ kind: 'node_down', subject: 'TRON a.example.org' },
      message: 'a.example.org gives no answers: a.example.org could not be reached',
    },
  ])
  standing.answered()
  expect(await open()).toEqual([other])
})
