import type { PostgresPool, PostgresPoolClient } from 'kysely'
import type pg from 'pg'
import { forgetOutdated, nameOf } from './statement-names.ts'

/** The same pool with connections that prepare each statement once, under a name. */
export function withPreparedStatements(pool: pg.Pool): PostgresPool {
  const known = new WeakMap<pg.PoolClient, PostgresPoolClient>()
  return {
    options: pool.options,
    end: () => pool.end(),
    async connect() {
      const client = await pool.connect()
      const prepared = known.get(client) ?? prepareOn(client)
      known.set(client, prepared)
      return prepared
    },
  }
}

function prepareOn(client: pg.PoolClient): PostgresPoolClient {
  const query = async (text: string, values: readonly unknown[] = []) => {
    if (values.length === 0) return client.query(text)
    const name = nameOf(text)
    try {
      return await client.query({ ...(name && { name }), text, values: [...values] })
    } catch (error) {
      forgetOutdated(error)
      throw error
    }
  }
  // Kysely's cursor interface is not used here.
  const asked = query as unknown as PostgresPoolClient['query']
  return { query: asked, release: (end) => client.release(end) }
}
