import { execFile, spawnSync } from 'node:child_process'
import { chownSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Postgres } from '@dct/local-services'
import { startForwarder } from '@dct/local-services/testing/forwarder'
import { type Standby, startStandby } from '@dct/local-services/testing/standby'
import pg from 'pg'
import { until } from './until.ts'

/** Returns the database to a moment that it has left. Nothing else may use the database. */
export type PutBack = () => Promise<void>

/** By what an operator can return a database to an earlier moment. */
export type WayBack = 'dump' | 'cold copy' | 'point in time' | 'standby'

/** The major version of the tests' PostgreSQL: an older `pg_dump` refuses to dump it. */
const MAJOR_VERSION = 18

/** Whether this machine has a `pg_dump` that fits. */
export function canDump(): boolean {
  const { stdout } = spawnSync('pg_dump', ['--version'], { encoding: 'utf8' })
  return Number(/ (\d+)\./.exec(stdout ?? '')?.[1] ?? 0) >= MAJOR_VERSION
}

/** A database server that can be moved. */
type Movable = {
  /** The server that runs now, and its folder. */
  now(): Postgres & { dir: string }
  newFolder(name: string): string
  /** Stops it, and starts one on another folder. */
  moveTo(folder: string, settings?: Readonly<Record<string, string>>): Promise<void>
  /** Kills it, and promotes a standby. */
  takeOver(heir: Standby, folder: string): Promise<void>
  /** @returns the folder of a copy */
  backUp(): Promise<string>
}

/** Marks a moment to return to. */
type Mark = () => Promise<PutBack>

const WAYS: Readonly<Record<WayBack, (server: Movable) => Promise<Mark>>> = {
  dump: async (server) => () => dump(server),
  'cold copy': async (server) => () => copyCold(server),
  'point in time': archive,
  standby: leaveStandbyBehind,
}

export function waysBack(server: Movable): (way: WayBack) => Promise<Mark> {
  return (way) => WAYS[way](server)
}

async function dump(server: Movable): Promise<PutBack> {
  const file = join(server.newFolder('dump'), 'dct.dump')
  await run('pg_dump', ['--format=custom', `--file=${file}`, server.now().url])
  return async () => {
    const other = new URL(server.now().url)
    other.pathname = '/template1'
    await query(other.href, 'drop database postgres with (force)')
    await query(other.href, 'create database postgres')
    await run('pg_restore', ['--exit-on-error', `--dbname=${server.now().url}`, file])
  }
}

async function copyCold(server: Movable): Promise<PutBack> {
  const copy = server.newFolder('copy')
  await server.now().stop()
  await run('cp', ['-a', `${server.now().dir}/.`, copy])
  await server.moveTo(server.now().dir)
  return () => server.moveTo(copy)
}

/** The log is archived from now on. */
async function archive(server: Movable): Promise<Mark> {
  const folder = server.newFolder('archive')
  const { uid, gid } = statSync(join(server.now().dir, 'data'))
  chownSync(folder, uid, gid)
  await server.moveTo(server.now().dir, {
    archive_mode: 'on',
    archive_command: `cp %p ${folder}/%f`,
  })
  const copy = await server.backUp()
  return async () => {
    const [{ lsn } = {}] = await query(server.now().url, 'select pg_current_wal_lsn() as lsn')
    return async () => {
      // The end of the log would be archived only once its segment is full.
      await query(server.now().url, 'select pg_switch_wal()')
      writeFileSync(join(copy, 'data/recovery.signal'), '')
      chownSync(join(copy, 'data/recovery.signal'), uid, gid)
      await server.moveTo(copy, {
        restore_command: `cp ${folder}/%f %p`,
        recovery_target_lsn: `${lsn}`,
        recovery_target_action: 'promote',
      })
      await until('the point in time is reached', async () => {
        const [{ ends } = {}] = await query(server.now().url, 'select pg_is_in_recovery() as ends')
        return ends === false
      })
    }
  }
}

async function leaveStandbyBehind(server: Movable): Promise<Mark> {
  const link = await startForwarder({
    target: () => ({ host: '127.0.0.1', port: server.now().port }),
  })
  const linked = new URL(server.now().url)
  linked.port = `${link.port}`
  const folder = server.newFolder('standby')
  const behind = await startStandby(
    { url: linked.href, dir: server.now().dir },
    { dir: folder, name: 'behind', asynchronous: true },
  )
  return async () => {
    const [{ lsn } = {}] = await query(server.now().url, 'select pg_current_wal_lsn() as lsn')
    await until('the standby has what was committed', async () => {
      const [{ has } = {}] = await query(
        behind.url,
        `select pg_last_wal_replay_lsn() >= '${lsn}' as has`,
      )
      return has === true
    })
    link.stop()
    return () => server.takeOver(behind, folder)
  }
}

async function run(program: string, args: readonly string[]): Promise<void> {
  await promisify(execFile)(program, args)
}

async function query(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}
