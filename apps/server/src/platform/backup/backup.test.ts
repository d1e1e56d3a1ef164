import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generateX25519Identity, identityToRecipient } from 'age-encryption'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import {
  createEmptyDatabase,
  createTestDatabase,
  type TestDatabase,
} from '../../testing/database.ts'
import { ManualClock } from '../../testing/manual-clock.ts'
import { startReceiver } from '../../testing/receivers.ts'
import { startStorage } from '../../testing/s3-storage.ts'
import { DAY_MS } from '../clock.ts'
import { type Db, openDatabase } from '../database/db.ts'
import { folderStore } from './folder-store.ts'
import { completeBackups, readManifest } from './manifest.ts'
import { pruneBackups } from './prune-backups.ts'
import { restoreBackup } from './restore-backup.ts'
import { s3Store } from './s3-store.ts'
import type { BackupStore } from './store.ts'
import { writeBackup } from './write-backup.ts'

const STARTED_AT = new Date('2026-11-23T02:30:00Z')
/** Text that would end a table's rows if it were not escaped. */
const AWKWARD = 'first\n\\.\nsecond\tthird\\'

let source: TestDatabase
let identity: string
let recipient: string
let folder: string
const clock = new ManualClock(STARTED_AT)

beforeAll(async () => {
  identity = await generateX25519Identity()
  recipient = await identityToRecipient(identity)
  source = await createTestDatabase()
  await fill(source.db)
})
afterAll(() => source?.drop())
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'dct-backup-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  clock.set(STARTED_AT)
})

/** Fills tables that reference themselves, refuse changes, or must not be restored. */
async function fill(db: Db): Promise<void> {
  await sql`insert into alarm (kind, subject, message, raised_at) values ('odd', 'text', ${AWKWARD}, now())`.execute(
    db,
  )
  await sql`insert into app_user (address, referral_code, created_at) values (${Buffer.alloc(20, 1)}, 'AAAAAAAA', now())`.execute(
    db,
  )
  await sql`insert into app_user (address, referral_code, referrer_id, depth, created_at)
    select ${Buffer.alloc(20, 2)}, 'BBBBBBBB', id, 1, now() from app_user`.execute(db)
  await sql`insert into auth_session (token_hash, user_id, role, created_at, last_seen_at, expires_at, ends_at, network, user_agent)
    select ${Buffer.alloc(32, 1)}, min(id), 'user', now(), now(), now(), now(), 'n', 'a' from app_user`.execute(
    db,
  )
}

const write = (store: BackupStore) =>
  writeBackup({
    databaseUrl: source.url,
    ...{ store, recipient, clock },
    version: '0.1.0',
    facts: { contracts: ['a', 'b'] },
    withoutRows: ['auth_session'],
  })

const restore = (store: BackupStore, backup: string, databaseUrl: string, key = identity) =>
  restoreBackup({
    databaseUrl,
    ...{ store, backup, identity: key },
    async mark(tx, { taken_at }) {
      await sql`insert into restored_backup values (${backup}, ${taken_at}, ${STARTED_AT})`.execute(
        tx,
      )
    },
  })

/** An empty database, dropped after the test. */
async function givenEmpty(): Promise<string> {
  const { url, drop } = await createEmptyDatabase()
  onTestFinished(drop)
  return url
}

function open(url: string): Db {
  const db = openDatabase({ url, maxConnections: 2 })
  onTestFinished(() => db.destroy())
  return db
}

/** Every row of every table as text, and the enabled triggers. */
async function contentOf(db: Db, except: readonly string[]) {
  const tables = await sql<{ name: string }>`
    select relname as name from pg_class where relnamespace = 'public'::regnamespace
      and relkind = 'r' order by 1`.execute(db)
  const content: Record<string, unknown[]> = {}
  for (const { name } of tables.rows.filter((table) => !except.includes(table.name))) {
    const { rows } = await sql`select t::text as row from ${sql.table(name)} t order by 1`.execute(
      db,
    )
    content[name] = rows
  }
  const triggers = await sql`
    select tgrelid::regclass::text as on, tgname, tgenabled from pg_trigger
    where not tgisinternal order by 1, 2`.execute(db)
  return { content, triggers: triggers.rows }
}

test('a restored database has every row, sequence and trigger of the saved one, but not its sessions', async () => {
  const store = folderStore(folder)
  const { name } = await write(store)
  const target = await givenEmpty()
  await restore(store, name, target)
  const restored = open(target)
  // The restored database differs only by the record of its restore.
  const except = ['auth_session', 'restored_backup', 'alarm']
  expect(await contentOf(restored, except)).toEqual(await contentOf(source.db, except))
  const marks = await sql`select backup, taken_at from restored_backup`.execute(restored)
  expect(marks.rows).toEqual([{ backup: name, taken_at: STARTED_AT }])
  const messages = await sql`select message from alarm order by id`.execute(restored)
  expect(messages.rows[0]).toEqual({ message: AWKWARD })
  const sessions = await sql`select from auth_session`.execute(restored)
  expect(sessions.rows).toEqual([])
  const next = await sql<{ id: bigint }>`insert into app_user (address, referral_code, created_at)
    values (${Buffer.alloc(20, 9)}, 'CCCCCCCC', now()) returning id`.execute(restored)
  const last = await sql<{ id: bigint }>`select max(id) as id from app_user`.execute(source.db)
  expect(next.rows[0]?.id).toBe((last.rows[0]?.id ?? 0n) + 1n)
})

test('a restore never overwrites anything: a database with tables is refused and left unchanged', async () => {
  const store = folderStore(folder)
  const { name } = await write(store)
  const before = await contentOf(source.db, [])
  await expect(restore(store, name, source.url)).rejects.toThrow('not empty')
  expect(await contentOf(source.db, [])).toEqual(before)
})

test('stored backups reveal nothing without the key, and another key is refused', async () => {
  const store = folderStore(folder)
  const { name, manifest } = await write(store)
  const [part] = manifest.parts
  const bytes = readFileSync(join(folder, part?.name ?? ''))
  expect(bytes.subarray(0, 21).toString()).toBe('age-encryption.org/v1')
  expect(bytes.includes('BBBBBBBB')).toBe(false)
  const other = await generateX25519Identity()
  await expect(restore(store, name, await givenEmpty(), other)).rejects.toThrow('another key')
})

test('a damaged part is refused, and none of its rows are kept', async () => {
  const store = folderStore(folder)
  const { name, manifest } = await write(store)
  const path = join(folder, manifest.parts[0]?.name ?? '')
  const bytes = readFileSync(path)
  bytes.writeUInt8(bytes.readUInt8(bytes.length - 20) ^ 1, bytes.length - 20)
  writeFileSync(path, bytes)
  const target = await givenEmpty()
  await expect(restore(store, name, target)).rejects.toThrow('is damaged')
  const { rows } = await sql`select from app_user`.execute(open(target))
  expect(rows).toEqual([])
})

test('a backup without a manifest does not count, and old backups are removed except the newest', async () => {
  const store = folderStore(folder)
  const first = await write(store)
  clock.set(new Date(STARTED_AT.getTime() + 5 * DAY_MS))
  const unfinished = await write(store)
  rmSync(join(folder, unfinished.name, 'manifest.json'))
  expect(await completeBackups(store)).toEqual([first.name])
  clock.set(new Date(STARTED_AT.getTime() + 40 * DAY_MS))
  expect(await pruneBackups({ store, clock }, 30)).toEqual([unfinished.name])
  const second = await write(store)
  expect(await pruneBackups({ store, clock }, 30)).toEqual([first.name])
  expect(readdirSync(folder)).toEqual([second.name])
})

test('S3-compatible storage keeps, lists page by page, returns and removes backups, with signed requests only', async () => {
  const storage = await startStorage({ accessKey: 'access', secretKey: 'secret', pageSize: 1 })
  onTestFinished(() => storage.stop())
  const options = { endpoint: storage.url, region: 'eu-central-1', bucket: 'dct', prefix: 'a/b' }
  const store = s3Store({ ...options, accessKey: 'access', secretKey: 'secret' })
  const { name } = await write(store)
  expect(await completeBackups(store)).toEqual([name])
  const target = await givenEmpty()
  await restore(store, name, target)
  const { rows } = await sql`select from app_user`.execute(open(target))
  expect(rows).toHaveLength(2)
  clock.set(new Date(STARTED_AT.getTime() + 2 * DAY_MS))
  const newer = await write(store)
  expect(await pruneBackups({ store, clock }, 1)).toEqual([name])
  expect(await completeBackups(store)).toEqual([newer.name])
  const stranger = s3Store({ ...options, accessKey: 'access', secretKey: 'guessed' })
  await expect(readManifest(stranger, newer.name)).rejects.toThrow('403')
})

test('a redirect of the storage is refused, and reaches nobody', async () => {
  const [storage, other] = [await startReceiver(), await startReceiver()]
  storage.on.request = (response) => response.writeHead(307, { location: other.url }).end()
  const options = { endpoint: storage.url, region: 'eu-central-1', bucket: 'dct', prefix: '' }
  const store = s3Store({ ...options, accessKey: 'access', secretKey: 'secret' })
  await expect(store.list()).rejects.toThrow('307')
  await expect(store.put('a', Buffer.from('b'))).rejects.toThrow('307')
  expect(other.received).toEqual([])
})
