import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from '@dct/local-services'
import type { TestProject } from 'vitest/node'
import { openDatabase } from '../platform/database/db.ts'
import { migrate } from '../platform/database/migrate.ts'
import {
  administer,
  createDatabase,
  type DatabaseServers,
  dropDatabase,
  serversBehind,
} from './database-servers.ts'

/** Defaults that an operator's server may have. The service sets what it relies on in each of its sessions. */
const UNUSUAL_SETTINGS = {
  search_path: 'pg_catalog',
  timezone: 'Pacific/Apia',
  datestyle: 'SQL, DMY',
  bytea_output: 'escape',
  default_transaction_isolation: 'repeatable read',
  statement_timeout: '15s',
}

/** Concurrent runs on one server must not remove each other's templates. */
const TEMPLATE = `dct_template_${process.pid}`

/**
 * Starts one PostgreSQL for the whole run, with a migrated template database that every test file copies. With
 * TEST_DATABASE_URL the run uses that server instead and, if it is the coordinator of a Citus cluster, its workers too.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const outside = process.env.TEST_DATABASE_URL
  const server = outside === undefined ? await startOwn() : { url: outside, stop: async () => {} }
  const servers = await serversBehind(server.url)
  const remove = () => dropDatabase(servers, TEMPLATE)
  try {
    await remove()
    await makeTemplate(servers)
  } catch (error) {
    await server.stop()
    throw error
  }
  project.provide('databaseServers', servers)
  project.provide('templateDatabase', TEMPLATE)
  return async () => {
    await remove()
    await server.stop()
  }
}

async function startOwn() {
  const dir = mkdtempSync(join(tmpdir(), 'dct-test-postgres-'))
  chmodSync(dir, 0o755)
  const postgres = await startPostgres({ dir, fast: true, settings: UNUSUAL_SETTINGS })
  const stop = async () => {
    await postgres.stop()
    rmSync(dir, { recursive: true, force: true })
  }
  return { url: postgres.url, stop }
}

async function makeTemplate(servers: DatabaseServers): Promise<void> {
  const url = await createDatabase(servers, TEMPLATE)
  const db = openDatabase({ url, maxConnections: 2 })
  try {
    await migrate(db)
  } finally {
    await db.destroy()
  }
  // Only a database without sessions can be copied, and on a cluster Citus keeps some open.
  await administer(servers, `alter database ${TEMPLATE} allow_connections false`)
  await administer(
    servers,
    `select pg_terminate_backend(pid, 10000) from pg_stat_activity where datname = '${TEMPLATE}'`,
  )
}
