import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'
import { BackupError, type BackupStore } from './store.ts'

const text = Type.String({ minLength: 1 })
const name = Type.String({ pattern: '^[a-z_][a-z0-9_]*$' })
const digest = Type.String({ pattern: '^[0-9a-f]{64}$' })
const count = Type.Integer({ minimum: 0 })

const Manifest = Type.Object({
  format: Type.Literal(1),
  /** The version of the product that made it. */
  version: text,
  taken_at: text,
  finished_at: text,
  /** The steps of the schema, in the order of their names. */
  migrations: Type.Array(text, { minItems: 1 }),
  /** Identifies the installation: its networks, contracts and own addresses. */
  facts: Type.Record(Type.String(), Type.Array(Type.String())),
  /** In the order of the stream; `sha256` is that of the rows as COPY writes them. */
  tables: Type.Array(Type.Object({ name, columns: Type.Array(name), rows: count, sha256: digest })),
  /** The last number that each sequence has given out. */
  sequences: Type.Array(Type.Object({ table: name, column: name, value: text })),
  /** The pieces of the encrypted stream, in order. */
  parts: Type.Array(Type.Object({ name: text, size: count, sha256: digest }), { minItems: 1 }),
})
/** The description of a backup, which is stored last: a backup without one does not count. */
export type Manifest = Static<typeof Manifest>

const FILE = 'manifest.json'

export const manifestName = (backup: string) => `${backup}/${FILE}`

/** The names of complete backups, oldest first. */
export async function completeBackups(store: BackupStore): Promise<string[]> {
  const names = await store.list()
  const complete = names.filter((each) => each.endsWith(`/${FILE}`))
  return complete.map((each) => each.slice(0, -FILE.length - 1)).sort()
}

/** @throws BackupError when it is missing, damaged or not from this product */
export async function readManifest(store: BackupStore, backup: string): Promise<Manifest> {
  const content = await store.get(manifestName(backup))
  try {
    const manifest: unknown = JSON.parse(content.toString('utf8'))
    if (Value.Check(Manifest, manifest)) return manifest
  } catch (cause) {
    throw new BackupError(`The manifest of the backup ${backup} is damaged.`, { cause })
  }
  throw new BackupError(`The manifest of the backup ${backup} was not written by this product.`)
}
