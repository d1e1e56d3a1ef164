import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { useTestDatabase } from '../../testing/database.ts'
import { startSilentLink } from '../../testing/silent-link.ts'
import { type Db, inBooking, inTransaction, isOutage, openDatabase, sharedReads } from './db.ts'
import { listenForSignals, signal } from './signals.ts'

const database = useTestDatabase()

/** A database behind a link, with open connections of every kind. */
async function givenLink() {
  const link = await startSilentLink(database.url)
  const db = openDatabase({ url: link.url, maxConnections: 4 })
  onTestFinished(() => db.destroy())
  await Promise.all([1, 2, 3].map(() => ask(db)))
  await ask(sharedReads(db))
  return { link, db }
}

const ask = (db: Db) => sql<{ one: number }>`select 1 as one`.execute(db)
const outcome = (work: Promise<unknown>) =>
  work.then(
    () => 'answered',
    (error) => (isOutage(error) || isOutage((error as Error).cause) ? 'outage' : `${error}`),
  )

test('when the link to the database falls silent, everything that waits for it fails as in an outage', async () => {
  const { link, db } = await givenLink()
  link.silence()
  const outcomes = await Promise.all([
    ...[1, 2, 3, 4, 5].map(() => outcome(ask(db))),
    outcome(ask(sharedReads(db))),
    outcome(inTransaction(db, ask as never)),
    outcome(inBooking(db, ask as never)),
  ])
  expect(new Set(outcomes)).toEqual(new Set(['outage']))
  link.restore()
  expect(await outcome(ask(db))).toBe('answered')
  expect(await outcome(ask(sharedReads(db)))).toBe('answered')
})

test('an answer that is lost on the way ends its connection, while other connections work', async () => {
  const { link, db } = await givenLink()
  link.forget()
  expect(await outcome(ask(db))).toBe('outage')
  await expect.poll(() => outcome(ask(db)), { timeout: 20_000 }).toBe('answered')
})

test('a statement that takes long is left alone', async () => {
  const { db } = await givenLink()
  expect(await outcome(sql`select pg_sleep(4)`.execute(db))).toBe('answered')
})

test('signals are received again after the link was silent', async () => {
  const { link } = await givenLink()
  const heard: string[] = []
  let lost = 0
  const listener = listenForSignals(link, {
    onSignal: { changes: (payload) => heard.push(payload) },
    onLost: () => {
      lost += 1
    },
  })
  onTestFinished(() => listener.stop())
  await expect.poll(listener.isLive).toBe(true)
  link.silence()
  await expect.poll(() => lost, { timeout: 20_000 }).toBeGreaterThan(0)
  link.restore()
  await expect.poll(listener.isLive, { timeout: 20_000 }).toBe(true)
  await signal(database.db, 'changes', ['back'])
  await expect.poll(() => heard).toEqual(['back'])
})
