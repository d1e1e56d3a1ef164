import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from '@dct/local-services'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { openDatabase } from '../platform/db.ts'
import { migrate } from '../platform/migrate.ts'

const TEMPLATE = 'dct_template'

/** Starts one PostgreSQL for the whole run, with a migrated template database that every test file copies. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dir = mkdtempSync(join(tmpdir(), 'dct-test-postgres-'))
  chmodSync(dir, 0o755)
  const postgres = await startPostgres({ dir, fast: true })
  const stop = async () => {
    await postgres.stop()
    rmSync(dir, { recursive: true, force: true })
  }
  try {
    await makeTemplate(postgres.url)
  } catch (error) {
    await stop()
    throw error
  }
  project.provide('postgresUrl', postgres.url)
  project.provide('templateDatabase', TEMPLATE)
  return stop
}

async function makeTemplate(serverUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: serverUrl })
  await client.connect()
  await client.query(`create database ${TEMPLATE}`)
  await client.end()
  const url = new URL(serverUrl)
  url.pathname = `/${TEMPLATE}`
  const db = openDatabase({ url: url.href, maxConnections: 2 })
  await migrate(db)
  await db.destroy()
}
