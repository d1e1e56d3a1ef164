import pg from 'pg'
import { readConfig } from '../apps/server/src/main/config.ts'
import { createContext } from '../apps/server/src/main/context.ts'
import { createApi } from '../apps/server/src/main/http/serve.ts'
import { abstract, askersOf, ROUTES, type Statement, tokenOf } from './http-world.ts'

type Sent = { text: string; values: unknown[]; isPrepared: boolean }
type Query = { text: string; values?: unknown[]; name?: string }

/**
 * Records the SQL statements that the product sends for each call once the session is known, so that the baseline
 * always runs the same SQL.
 */
export async function recordStatements(
  settings: Readonly<Record<string, string>>,
  rows: number,
): Promise<Record<string, Statement[]>> {
  const context = await createContext(readConfig({ ...settings, LOG_LEVEL: 'silent' }))
  const app = await createApi(context, {
    loopStatus: () => [],
    countCall: () => undefined,
    wakeLoops: () => undefined,
  })
  await app.ready()
  const statements: Record<string, Statement[]> = {}
  try {
    for (const { asker, paths } of ROUTES) {
      // A high id, so that it cannot be confused with a page number or a limit.
      const user = askersOf(asker, rows).at(-1) ?? 1
      const headers = { authorization: `Bearer ${tokenOf(user)}` }
      for (const url of paths) {
        const call = async () => {
          const answer = await app.inject({ url, headers })
          if (answer.statusCode !== 200) throw new Error(`${url}: ${answer.body}`)
        }
        await call()
        const sent = await recording(call)
        const path = url.replace(/\?.*/, '')
        statements[path] = sent.map(({ text, values, isPrepared }) => ({
          ...{ text, isPrepared },
          values: values.map((value) => abstract(value, asker === 'admin' ? Number.NaN : user)),
        }))
      }
    }
  } finally {
    await app.close()
    await context.close()
  }
  return statements
}

/** Records the queries that the driver sends while `work` runs. */
async function recording(work: () => Promise<void>): Promise<Sent[]> {
  const sent: Sent[] = []
  const client = pg.Client.prototype as { query: (...args: unknown[]) => unknown }
  const { query } = client
  client.query = function record(...args: unknown[]) {
    const [what, values] = args
    const own = typeof what === 'string' ? { text: what, values } : what
    const { text, values: filled = [], name } = own as Query
    sent.push({ text, values: filled, isPrepared: name !== undefined })
    return query.apply(this, args)
  }
  try {
    await work()
  } finally {
    client.query = query
  }
  return sent
}
