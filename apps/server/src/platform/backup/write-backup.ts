import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { Encrypter } from 'age-encryption'
import pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import type { Clock } from '../clock.ts'
import { sessionSettings } from '../database/session-settings.ts'
import { type Manifest, manifestName } from './manifest.ts'
import { listSequences, listTables, quoted, type SavedTable } from './saved-tables.ts'
import type { BackupStore } from './store.ts'

/** The size of one stored object, which is held in memory while it is stored. */
const PART_BYTES = 32 * 1024 * 1024

export type BackupInput = {
  databaseUrl: string
  store: BackupStore
  /** An age public key (age1…). */
  recipient: string
  clock: Clock
  version: string
  facts: Manifest['facts']
  /** Tables whose rows are left out, because they must not come back with a restore. */
  withoutRows: readonly string[]
}
export type WrittenBackup = { name: string; manifest: Manifest }

/**
 * Stores all rows as they were at one moment, while the service keeps running. The stream is the data of a plain SQL
 * dump (COPY statements), compressed and encrypted, in parts; nothing unencrypted leaves this process. The schema is
 * not included: the migrations that the manifest names create it.
 */
export async function writeBackup(input: BackupInput): Promise<WrittenBackup> {
  const takenAt = input.clock.now().toISOString()
  const name = takenAt.replace(/[:.]/g, '-')
  const client = new pg.Client({
    connectionString: input.databaseUrl,
    application_name: 'dct-backup',
    connectionTimeoutMillis: 10_000,
  })
  // The query that was running fails, and with it the backup.
  client.on('error', () => undefined)
  await client.connect()
  await client.query(sessionSettings())
  try {
    await client.query('begin isolation level repeatable read read only')
    const left = new Set(input.withoutRows)
    const tables = (await listTables(client)).filter((table) => !left.has(table.name))
    const { rows: steps } = await client.query<{ name: string }>(
      'select name from migration order by name',
    )
    const saved: Manifest['tables'] = []
    const parts = await storeStream({ ...input, name }, dump(client, { tables, saved }))
    const sequences = await listSequences(client)
    const manifest: Manifest = {
      format: 1,
      version: input.version,
      taken_at: takenAt,
      finished_at: input.clock.now().toISOString(),
      migrations: steps.map((step) => step.name),
      facts: input.facts,
      ...{ tables: saved, sequences, parts },
    }
    const text = `${JSON.stringify(manifest, null, 2)}\n`
    await input.store.put(manifestName(name), Buffer.from(text))
    return { name, manifest }
  } finally {
    await client.end()
  }
}

type Dumped = {
  tables: readonly SavedTable[]
  saved: Manifest['tables']
}

/** Adds to `saved` what was written for each table. */
async function* dump(client: pg.Client, { tables, saved }: Dumped): AsyncGenerator<Buffer> {
  for (const { name, columns } of tables) {
    const hash = createHash('sha256')
    const list = quoted(columns)
    yield Buffer.from(`COPY "${name}" (${list}) FROM stdin;\n`)
    const rows = client.query(copyTo(`copy (select ${list} from "${name}") to stdout`))
    for await (const chunk of rows) {
      hash.update(chunk)
      yield chunk
    }
    yield Buffer.from('\\.\n')
    saved.push({ name, columns, rows: rows.rowCount, sha256: hash.digest('hex') })
  }
}

async function storeStream(
  { store, recipient, name }: { store: BackupStore; recipient: string; name: string },
  content: AsyncGenerator<Buffer>,
): Promise<Manifest['parts']> {
  const encrypter = new Encrypter()
  encrypter.addRecipient(recipient)
  const parts: Manifest['parts'] = []
  await pipeline(Readable.from(content), createGzip(), async (compressed) => {
    const plain = Readable.toWeb(Readable.from(compressed)) as ReadableStream<Uint8Array>
    for await (const part of inParts(await encrypter.encrypt(plain))) {
      const partName = `${name}/part-${`${parts.length + 1}`.padStart(5, '0')}.age`
      await store.put(partName, part)
      const sha256 = createHash('sha256').update(part).digest('hex')
      parts.push({ name: partName, size: part.length, sha256 })
    }
  })
  return parts
}

async function* inParts(stream: ReadableStream<Uint8Array>): AsyncGenerator<Buffer> {
  let chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of stream) {
    chunks.push(chunk)
    size += chunk.length
    if (size < PART_BYTES) continue
    yield Buffer.concat(chunks)
    chunks = []
    size = 0
  }
  if (size > 0) yield Buffer.concat(chunks)
}
