import { createNodeStanding, NodeRefused, NodeUnavailable } from '@dct/chain-clients'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openAlarms, raiseAlarm } from '../../platform/alarms/alarms.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts'
import { ManualClock } from '../../testing/manual-clock.ts'
import { createNodeAlarmLoop } from './node-alarms.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database?.drop())

test('an alarm names the host of a failing node until the node has recovered; other alarms remain', async () => {
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
  expect(await open()).toHaveLength(2)
  passSeconds(60)
  expect(await open()).toEqual([
    other,
    {
      ...{ kind: 'node_down', subject: 'TRON a.example.org' },
      message: 'a.example.org gives no answers: a.example.org could not be reached',
    },
  ])
  passSeconds(30)
  expect(await open()).toHaveLength(2)
  standing.answered()
  passSeconds(59)
  expect(await open()).toHaveLength(2)
  passSeconds(15)
  expect(await open()).toEqual([other])
})

test('a process does not end an alarm whose cause another process still finds', async () => {
  const realClock = new ManualClock(new Date('2026-02-10T05:00:00Z'))
  const processes = [1, 2].map(() => {
    const standing = createNodeStanding('b.example.org', () => realClock.now().getTime())
    const nodes = { TRON: [], BSC: [standing] }
    return { standing, loop: createNodeAlarmLoop({ db: database.db, realClock, nodes }) }
  })
  const isOpen = async () => {
    for (const { loop } of processes) await loop.step()
    const alarms = await openAlarms(database.db)
    return alarms.some(({ subject }) => subject === 'BSC b.example.org')
  }
  processes[0]?.standing.lagSeen(400_000)
  for (let minute = 0; minute < 3; minute += 1) {
    expect(await isOpen()).toBe(true)
    realClock.set(new Date(realClock.now().getTime() + 60_000))
  }
  processes[0]?.standing.lagSeen(undefined)
  expect(await isOpen()).toBe(false)
})

test('a node that refuses us raises an alarm immediately, with the node’s message', async () => {
  const realClock = new ManualClock(new Date('2026-03-10T05:00:00Z'))
  const standing = createNodeStanding('c.example.org', () => realClock.now().getTime())
  const nodes = { TRON: [], BSC: [standing] }
  standing.failed(new NodeRefused('c.example.org refuses us with status 401: wrong key'))
  await createNodeAlarmLoop({ db: database.db, realClock, nodes }).step()
  expect(await openAlarms(database.db)).toContainEqual(
    expect.objectContaining({
      ...{ kind: 'node_refuses', subject: 'BSC c.example.org' },
      message: 'c.example.org refuses us with status 401: wrong key',
    }),
  )
})
