/**
 * The baseline: a bare Fastify server that answers each path by sending the same SQL statements as the product,
 * prepared where the product prepares them and all concurrently, and returning the raw rows. No sessions, rate limits
 * or rules. Its argument is a JSON file with `BareOptions`.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import fastify from 'fastify'
import pg from 'pg'
import { addressOf } from './admin-rows.ts'
import { type Statement, valueFor } from './http-world.ts'

export type BareOptions = {
  url: string
  port: number
  connections: number
  statements: Readonly<Record<string, readonly Statement[]>>
}

const file = process.argv[2]
if (file === undefined) throw new Error('usage: http-bare.ts OPTIONS.json')
const options = JSON.parse(readFileSync(file, 'utf8')) as BareOptions
const pool = new pg.Pool({ connectionString: options.url, max: options.connections })
const app = fastify()
for (const [path, statements] of Object.entries(options.statements)) {
  const queries = statements.map(({ text, values, isPrepared }) => ({
    ...{ text, values },
    ...(isPrepared && { name: nameOf(text) }),
  }))
  app.get(path, async (request) => {
    const user = Number(request.headers.authorization?.split('-').at(-1))
    const address = addressOf(user)
    return Promise.all(
      queries.map(async ({ values, ...query }) => {
        const own = values.map((value) => valueFor(value, user, address))
        const { rows } = await pool.query({ ...query, values: own })
        return rows
      }),
    )
  })
}
await app.listen({ host: '127.0.0.1', port: options.port })
console.log('listening')

function nameOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16)
}
