import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { useTestDatabase } from '../../testing/database.ts'
import { listenForSignals, signal } from './signals.ts'

const database = useTestDatabase()

test('a lost connection is reported, and signals are received again afterwards', async () => {
  const heard: string[] = []
  let lost = 0
  const listener = listenForSignals(
    { url: database.url },
    {
      onSignal: {
        changes: (text) => heard.push(text),
        others: (text) => heard.push(`other ${text}`),
      },
      onLost: () => {
        lost += 1
      },
    },
  )
  onTestFinished(() => listener.stop())
  await expect.poll(() => listener.isLive()).toBe(true)
  await signal(database.db, 'changes', ['first'])
  await signal(database.db, 'others', ['one', 'two'])
  await signal(database.db, 'unheard', ['three'])
  await expect.poll(() => heard).toEqual(['first', 'other one', 'other two'])

  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and query like 'listen%'`.execute(database.db)
  await expect.poll(() => lost).toBe(1)
  await expect.poll(() => listener.isLive(), { timeout: 10_000 }).toBe(true)
  await signal(database.db, 'changes', ['second'])
  await expect.poll(() => heard.at(-1)).toBe('second')
})
