import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { Decrypter } from 'age-encryption'
import pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { openDatabase, type Tx, transactionOn } from '../database/db.ts'
import { migrate } from '../database/migrate.ts'
import { sessionSettings } from '../database/session-settings.ts'
import { CopyScript } from './copy-script.ts'
import { type Manifest, readManifest } from './manifest.ts'
import { listTables, quoted } from './saved-tables.ts'
import { BackupError, type BackupStore } from './store.ts'

export type RestoreInput = {
  databaseUrl: string
  store: BackupStore
  backup: string
  /** The age secret key (AGE-SECRET-KEY-1…). */
  identity: string
  /** Runs in the transaction that restores the rows. */
  mark(tx: Tx, manifest: Manifest): Promise<void>
}

/**
 * Restores a backup into an empty database: first the schema as it was, then all rows in one transaction, with every
 * constraint in force and every part and table compared with its digest, then the migrations since.
 * @throws BackupError when the database is not empty, or the backup is damaged or does not fit this version
 */
export async function restoreBackup(input: RestoreInput): Promise<Manifest> {
  const manifest = await readManifest(input.store, input.backup)
  const client = new pg.Client({
    connectionString: input.databaseUrl,
    application_name: 'dct-restore',
  })
  // The query that was running fails, and with it the restore.
  client.on('error', () => undefined)
  await client.connect()
  await client.query(sessionSettings())
  const db = openDatabase({ url: input.databaseUrl, maxConnections: 2 })
  try {
    await requireEmpty(client)
    await migrate(db, { through: manifest.migrations })
    await client.query('begin')
    await prepareTables(client, manifest)
    await restoreRows(client, input, manifest)
    await input.mark(transactionOn(client), manifest)
    await client.query('commit')
    await migrate(db)
    await client.query('analyze')
    return manifest
  } finally {
    await db.destroy()
    await client.end()
  }
}

async function requireEmpty(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ tables: string }>(
    `select count(*) as tables from pg_class c
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v', 'm', 'S')
       and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')`,
  )
  if (rows[0]?.tables === '0') return
  throw new BackupError(
    'The database is not empty, and a restore overwrites nothing: set DATABASE_URL to a new, empty database.',
  )
}

/** Empties tables that migrations filled, and disables triggers: saved rows passed them once. */
async function prepareTables(client: pg.Client, manifest: Manifest): Promise<void> {
  const tables = await listTables(client)
  const present = new Map(tables.map(({ name, columns }) => [name, columns.join()]))
  const other = manifest.tables.filter(({ name, columns }) => present.get(name) !== columns.join())
  if (other.length > 0) {
    const names = other.map(({ name }) => name).join(', ')
    throw new BackupError(
      `The backup was made with version ${manifest.version}, whose tables differ (${names}): restore it with that version.`,
    )
  }
  await setTriggers(client, 'disable')
  await client.query(`truncate ${quoted(manifest.tables.map(({ name }) => name))} cascade`)
}

async function restoreRows(
  client: pg.Client,
  input: RestoreInput,
  manifest: Manifest,
): Promise<void> {
  const decrypter = new Decrypter()
  decrypter.addIdentity(input.identity)
  const parts = Readable.toWeb(Readable.from(readParts(input.store, manifest)))
  const plain = await decrypted(decrypter, parts as ReadableStream<Uint8Array>)
  const waiting = new Map(manifest.tables.map((table) => [table.name, table]))
  await pipeline(Readable.from(plain), createGunzip(), async (source: AsyncIterable<Buffer>) => {
    const script = new CopyScript(source)
    for (let line = await script.line(); line !== undefined; line = await script.line()) {
      const table = waiting.get(/^COPY "(\w+)" /.exec(line)?.[1] ?? '')
      if (table === undefined)
        throw new BackupError('The backup contains a table that its manifest does not name.')
      await restoreTable(client, table, script)
      waiting.delete(table.name)
    }
  })
  if (waiting.size > 0) throw new BackupError(`The backup lacks ${[...waiting.keys()].join(', ')}.`)
  for (const { table, column, value } of manifest.sequences) {
    const sequence = 'pg_get_serial_sequence($1, $2)'
    await client.query(`select setval(${sequence}, $3::bigint)`, [
      `public."${table}"`,
      column,
      value,
    ])
  }
  await setTriggers(client, 'enable')
}

async function setTriggers(client: pg.Client, state: 'disable' | 'enable'): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select distinct t.tgrelid::regclass::text as name from pg_trigger t join pg_class c on c.oid = t.tgrelid
     where not t.tgisinternal and c.relnamespace = 'public'::regnamespace`,
  )
  for (const { name } of rows) await client.query(`alter table ${name} ${state} trigger user`)
}

async function decrypted(decrypter: Decrypter, stream: ReadableStream<Uint8Array>) {
  try {
    return await decrypter.decrypt(stream)
  } catch (cause) {
    if (cause instanceof BackupError) throw cause
    throw new BackupError(
      'The backup cannot be decrypted: BACKUP_IDENTITY_FILE holds another key.',
      {
        cause,
      },
    )
  }
}

/** Yields each part only if it has the size and the digest in the manifest. @throws BackupError if not */
async function* readParts(store: BackupStore, manifest: Manifest): AsyncGenerator<Buffer> {
  for (const { name, size, sha256 } of manifest.parts) {
    const part = await store.get(name)
    if (part.length !== size || createHash('sha256').update(part).digest('hex') !== sha256) {
      throw new BackupError(`${name} is damaged: its contents are not what was stored.`)
    }
    yield part
  }
}

async function restoreTable(
  client: pg.Client,
  { name, columns, rows, sha256 }: Manifest['tables'][number],
  script: CopyScript,
): Promise<void> {
  const hash = createHash('sha256')
  const hashed = async function* () {
    for await (const chunk of script.rows()) {
      hash.update(chunk)
      yield chunk
    }
  }
  const into = client.query(copyFrom(`copy "${name}" (${quoted(columns)}) from stdin`))
  await pipeline(Readable.from(hashed()), into)
  if (into.rowCount === rows && hash.digest('hex') === sha256) return
  throw new BackupError(`The rows of ${name} differ from those that were saved.`)
}
