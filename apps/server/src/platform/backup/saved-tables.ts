import type { Client } from 'pg'
import { invariant } from '../errors.ts'
import type { Manifest } from './manifest.ts'

export type SavedTable = { name: string; columns: string[] }

/** Every table with its columns, except generated ones, ordered so that each follows the tables it references. */
export async function listTables(client: Client): Promise<SavedTable[]> {
  const { rows } = await client.query<SavedTable>(`
    select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
    from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
      and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    group by c.relname order by c.relname`)
  const references = await client.query<{ name: string; other: string }>(`
    select r.relname as name, o.relname as other
    from pg_constraint f join pg_class r on r.oid = f.conrelid join pg_class o on o.oid = f.confrelid
    where f.contype = 'f' and r.relnamespace = 'public'::regnamespace and f.conrelid <> f.confrelid`)
  return afterTheirTargets(rows, references.rows)
}

function afterTheirTargets(
  tables: readonly SavedTable[],
  references: readonly { name: string; other: string }[],
): SavedTable[] {
  const sorted: SavedTable[] = []
  let waiting = [...tables]
  while (waiting.length > 0) {
    const open = new Set(waiting.map(({ name }) => name))
    const blocked = new Set(
      references.flatMap(({ name, other }) => (open.has(other) ? [name] : [])),
    )
    const ready = waiting.filter(({ name }) => !blocked.has(name))
    invariant(ready.length > 0, `tables refer to one another: ${[...open].join(', ')}`)
    sorted.push(...ready)
    waiting = waiting.filter(({ name }) => blocked.has(name))
  }
  return sorted
}

/** The last number that each sequence has given out. Sequences ignore snapshots, so read them after the rows. */
export async function listSequences(client: Client): Promise<Manifest['sequences']> {
  const { rows } = await client.query(`
    select c.relname as table, a.attname as column, s.last_value::text as value
    from pg_class c join pg_attribute a on a.attrelid = c.oid
      join pg_sequences s on format('%I.%I', s.schemaname, s.sequencename)::regclass
        = pg_get_serial_sequence(format('%I.%I', 'public', c.relname), a.attname)::regclass
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
      and a.attidentity <> '' and s.last_value is not null order by 1, 2`)
  return rows
}

export const quoted = (names: readonly string[]) => names.map((name) => `"${name}"`).join(', ')
