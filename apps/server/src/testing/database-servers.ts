import pg from 'pg'
import { sqlState } from '../platform/database/db.ts'

/**
 * The servers that host the tests' databases: one PostgreSQL, or the coordinator of a Citus cluster and its workers.
 */
export type DatabaseServers = readonly [first: string, ...workers: string[]]

/** Finds the workers if this is the address of a database on a coordinator. */
export async function serversBehind(url: string): Promise<DatabaseServers> {
  const { rows: citus } = await query(url, "select from pg_extension where extname = 'citus'")
  if (citus.length === 0) return [url]
  const { rows: nodes } = await query(
    url,
    'select nodename, nodeport from pg_dist_node where shouldhaveshards order by nodeport',
  )
  return [url, ...nodes.map(({ nodename, nodeport }) => at(url, { nodename, nodeport }))]
}

/** Runs a statement on each server, one after the other. */
export async function administer(servers: DatabaseServers, statement: string): Promise<void> {
  for (const server of servers) await query(server, statement)
}

/**
 * Creates an empty database. On a cluster it exists on all nodes, and its workers are registered.
 * @returns its address
 */
export async function createDatabase(servers: DatabaseServers, name: string): Promise<string> {
  await administer(servers, `create database ${name}`)
  const [first, ...workers] = servers.map((server) => databaseAt(server, name))
  if (first === undefined) throw new Error('there is no server')
  if (workers.length > 0) {
    for (const node of [first, ...workers]) await query(node, 'create extension citus')
    const { hostname, port } = new URL(first)
    await query(first, `select citus_set_coordinator_host('${hostname}', ${port})`)
    for (const worker of workers.map((each) => new URL(each))) {
      await query(first, `select citus_add_node('${worker.hostname}', ${worker.port})`)
    }
  }
  return first
}

const IN_USE = '55006'
const DROP_TRIES = 5

/** Drops a database and ends its sessions. Citus keeps sessions itself and may open new ones meanwhile. */
export async function dropDatabase(servers: DatabaseServers, name: string): Promise<void> {
  for (const server of servers) {
    for (let tries = 1; ; tries += 1) {
      try {
        await query(server, `drop database if exists ${name} with (force)`)
        break
      } catch (error) {
        if (sqlState(error) !== IN_USE || tries === DROP_TRIES) throw error
      }
    }
  }
}

/** The address of another database on the same server. */
export function databaseAt(server: string, name: string): string {
  const url = new URL(server)
  url.pathname = `/${name}`
  return url.href
}

function at(server: string, node: { nodename: string; nodeport: number }): string {
  const url = new URL(server)
  url.hostname = node.nodename
  url.port = `${node.nodeport}`
  return url.href
}

async function query(url: string, statement: string): Promise<pg.QueryResult> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await client.query(statement)
  } finally {
    await client.end()
  }
}
