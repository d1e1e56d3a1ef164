/** One PostgreSQL for a run. Databases are copies of each other, which takes milliseconds: so is a backup. */
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from '@dct/local-services'
import pg from 'pg'

export type Databases = {
  urlOf(name: string): string
  create(name: string, template?: string): Promise<void>
  drop(name: string): Promise<void>
  stop(): Promise<void>
}

export async function startDatabases(): Promise<Databases> {
  const dir = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'dct-simulation-'))
  chmodSync(dir, 0o755)
  const sockets = join(dir, 'sockets')
  mkdirSync(sockets)
  chmodSync(sockets, 0o777)
  const server = await startPostgres({
    dir,
    fast: true,
    settings: { max_wal_size: '4GB', autovacuum: 'off', unix_socket_directories: sockets },
  })
  const admin = new pg.Client({ connectionString: server.url })
  await admin.connect()
  const urlOf = (name: string) => {
    const url = new URL(server.url)
    url.pathname = `/${name}`
    // A socket of the system takes a good part less than one of the network.
    url.searchParams.set('host', sockets)
    return url.href
  }
  const endSessions = async (name: string) => {
    await admin.query(
      'select pg_terminate_backend(pid, 10000) from pg_stat_activity where datname = $1',
      [name],
    )
  }
  return {
    urlOf,
    async create(name, template = 'template1') {
      await endSessions(template)
      await admin.query(`create database ${name} template ${template} strategy file_copy`)
    },
    async drop(name) {
      await admin.query(`drop database if exists ${name} with (force)`)
    },
    async stop() {
      await admin.end()
      await server.stop()
      rmSync(dir, { recursive: true, force: true })
    },
  }
}
