import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from '@dct/local-services'
import { sql } from 'kysely'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { useTestDatabase, wipe } from '../../testing/database.ts'
import { openAlarms } from '../alarms/alarms.ts'
import { realClock } from '../clock.ts'
import { createBackupLoop, findArchiveProblem, lastBackup } from './backups.ts'
import { openDatabase } from './db.ts'

const HOUR_MS = 3_600_000
const database = useTestDatabase()
beforeEach(() => wipe(database.db))

test('an alarm says that no backup was ever made, or none lately, until one is recorded', async () => {
  const { db } = database
  let now = realClock.now()
  const loop = createBackupLoop({ db, realClock: { now: () => now } })
  const alarms = async () => {
    await loop.step()
    return (await openAlarms(db)).map(({ kind, message }) => `${kind}: ${message}`)
  }
  expect(await alarms()).toEqual(['backup: No backup has been recorded yet.'])
  await sql`select record_backup('full'), record_backup('incremental')`.execute(db)
  expect(await alarms()).toEqual([])
  expect((await lastBackup(db))?.getTime()).toBeCloseTo(now.getTime(), -5)
  now = new Date(now.getTime() + 31 * HOUR_MS)
  expect(await alarms()).toEqual([
    expect.stringMatching(/^backup: .*none within the last 30 hours/),
  ])
  now = new Date(now.getTime() - 2 * HOUR_MS)
  await sql`select record_backup('incremental')`.execute(db)
  expect(await alarms()).toEqual([])
})

test('a backup from the future, recorded while a clock was wrong, counts as none', async () => {
  const { db } = database
  await sql`insert into backup values ('dump', now() + interval '1 year')`.execute(db)
  await createBackupLoop({ db, realClock }).step()
  expect((await openAlarms(db)).map(({ subject }) => subject)).toEqual(['database'])
})

test('a write-ahead log that cannot be archived is found, until it is archived again', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'dct-archive-'))
  const isThere = `${dir}-archive`
  const server = await startPostgres({
    ...{ dir, fast: true },
    settings: { archive_mode: 'on', archive_command: `test -e ${isThere}` },
  })
  const db = openDatabase({ url: server.url, maxConnections: 1 })
  onTestFinished(async () => {
    await db.destroy()
    await server.stop()
    for (const path of [dir, isThere]) rmSync(path, { recursive: true, force: true })
  })
  expect(await findArchiveProblem(db)).toBe(undefined)
  const write = () => sql`select txid_current(), pg_switch_wal()`.execute(db)
  await write()
  const found = () => findArchiveProblem(db)
  await expect.poll(found, { timeout: 20_000 }).toMatch(/^The segment 0{7}1\w{16} of/)
  writeFileSync(isThere, '')
  await write()
  await expect.poll(found, { timeout: 20_000 }).toBe(undefined)
}, 60_000)
