import type { PostgresPool, PostgresPoolClient } from 'kysely'
import type pg from 'pg'

/** What a connection keeps stays in its memory: longer statements, and more than these, are planned every time. */
const MAX_LENGTH = 5_000
const MAX_KEPT = 500
/** A kept statement whose columns changed since, as in an update that adds one while this program runs. */
const OUTDATED = '0A000'

const names = new Map<string, string>()
let generation = 0

/** The same pool, whose connections parse and plan each statement once and keep it by its name. */
export function keepPlans(pool: pg.Pool): PostgresPool {
  const known = new WeakMap<pg.PoolClient, PostgresPoolClient>()
  return {
    options: pool.options,
    end: () => pool.end(),
    async connect() {
      const client = await pool.connect()
      const kept = known.get(client) ?? keepOn(client)
      known.set(client, kept)
      return kept
    },
  }
}

function keepOn(client: pg.PoolClient): PostgresPoolClient {
  const query = async (text: string, values: readonly unknown[] = []) => {
    if (values.length === 0) return client.query(text)
    try {
      return await client.query({ name: nameOf(text), text, values: [...values] })
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === OUTDATED) forgetAll()
      throw error
    }
  }
  // Kysely's other way of asking, by cursors, is not used here.
  const asked = query as unknown as PostgresPoolClient['query']
  return { query: asked, release: (end) => client.release(end) }
}

function nameOf(text: string): string | undefined {
  const known = names.get(text)
  if (known !== undefined) return known
  if (text.length > MAX_LENGTH || names.size === MAX_KEPT) return undefined
  const name = `kept_${generation}_${names.size}`
  names.set(text, name)
  return name
}

/** Every connection learns every statement again, by another name. */
function forgetAll(): void {
  names.clear()
  generation += 1
}
