import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { portForLater } from '@dct/local-services/testing/port-for-later'
import { untilGone } from '@dct/local-services/testing/processes'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { isHealthy } from '../devnet/src/supervisor/server-process.ts'
import { ROOT } from './repository.ts'

const READY_MS = 60_000
const GONE_MS = 15_000
// On a busy machine, each of a test's starts may take the whole time limit.
vi.setConfig({ testTimeout: 3 * READY_MS })

type Place = { dataDir: string; port: number }

/**
 * One devnet for all tests. Each test starts from the data of the previous one, which shows that a start continues
 * where the last one stopped, and is faster than creating a new devnet.
 */
let place: Place
beforeAll(async () => {
  place = { dataDir: mkdtempSync(join(tmpdir(), 'dct-start-')), port: await portForLater() }
})
afterAll(() => rmSync(place.dataDir, { recursive: true, force: true }))

/** Runs `npm start` like its npm script, and collects its output. */
function start({ dataDir, port }: Place, command = [process.execPath, 'tools/start.mjs']) {
  const [program = '', ...args] = command
  const launcher = spawn(program, args, {
    cwd: ROOT,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, DATA_DIR: dataDir, PORT: `${port}` },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const printed: string[] = []
  for (const stream of [launcher.stdout, launcher.stderr]) {
    stream.on('data', (chunk) => printed.push(`${chunk}`))
  }
  const ended = once(launcher, 'close').then(() => launcher.exitCode)
  onTestFinished(async () => {
    launcher.kill('SIGTERM')
    await ended
  })
  return { launcher, ended, printed: () => printed.join('') }
}

async function until<T>(what: string, ms: number, find: () => T | Promise<T>): Promise<T> {
  const deadline = performance.now() + ms
  while (true) {
    const found = await find()
    if (found) return found
    if (performance.now() > deadline) throw new Error(`not within ${ms} ms: ${what}`)
    await pause(50)
  }
}

const addressOf = ({ port }: Place) => `http://127.0.0.1:${port}`

async function untilReady(place: Place, started: ReturnType<typeof start>): Promise<void> {
  const isReady = () => started.printed().includes(`Open ${addressOf(place)}`)
  await until('ready', READY_MS, () => {
    if (started.launcher.exitCode !== null) throw new Error(started.printed())
    return isReady()
  })
  expect(await isHealthy(addressOf(place))).toBe(true)
}

type Descendant = { pid: number; args: string }

/** All descendants of a process, according to `ps`. */
function descendantsOf(root: ChildProcess): Descendant[] {
  const table = execFileSync('ps', ['-eo', 'pid=,ppid=,args='], { encoding: 'utf8' })
  const rows = table.split('\n').flatMap((line) => {
    const [, pid, parent, args = ''] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? []
    return pid === undefined ? [] : [{ pid: Number(pid), parent: Number(parent), args }]
  })
  const family = [{ pid: root.pid ?? 0, args: '' }]
  for (const { pid } of family) family.push(...rows.filter(({ parent }) => parent === pid))
  return family.slice(1)
}

function findOne(family: readonly Descendant[], part: string): number {
  const found = family.find(({ args }) => args.includes(part))
  if (found === undefined) throw new Error(`no process of ${part}`)
  return found.pid
}

async function untilAllGone(family: readonly Descendant[]): Promise<void> {
  const pids = family.map(({ pid }) => pid)
  await untilGone(pids, GONE_MS).catch((cause) => {
    throw new Error(`some were left behind: ${JSON.stringify(family)}`, { cause })
  })
}

test('a killed server is restarted; Ctrl-C stops everything', async () => {
  const started = start(place)
  await untilReady(place, started)
  const family = descendantsOf(started.launcher)
  for (const part of ['postgres -D', 'bin/anvil', 'devnet/src/main.ts']) findOne(family, part)

  const server = findOne(family, 'apps/server/src/main/all.ts')
  process.kill(server, 'SIGKILL')
  await until('another server', READY_MS, () =>
    descendantsOf(started.launcher).some(
      ({ pid, args }) => pid !== server && args.includes('apps/server/src/main/all.ts'),
    ),
  )
  await until('healthy again', READY_MS, () => isHealthy(addressOf(place)))

  const all = descendantsOf(started.launcher)
  started.launcher.kill('SIGINT')
  expect(await started.ended).toBe(0)
  await untilAllGone([...family, ...all])
  expect(started.printed()).toContain('Stopped.')
  expect(existsSync(join(place.dataDir, 'devnet.lock'))).toBe(false)
})

test.each([
  ['the launcher', 'SIGKILL', undefined],
  ['the supervisor', 'SIGKILL', 'devnet/src/main.ts'],
] as const)('no process is left running when %s is killed with %s', async (_, signal, part) => {
  const started = start(place)
  await untilReady(place, started)
  const family = descendantsOf(started.launcher)
  const pid = part === undefined ? (started.launcher.pid ?? 0) : findOne(family, part)
  process.kill(pid, signal)
  await started.ended
  await untilAllGone(family)
})

test('a second devnet on the same data is refused; no process is left running when npm is killed', async () => {
  // The previous supervisor was killed: this start continues from the data it left.
  const started = start(place, ['npm', 'start'])
  await untilReady(place, started)
  const second = start({ ...place, port: await portForLater() })
  expect(await second.ended).toBe(1)
  expect(second.printed()).toContain('Another devnet (process')
  expect(started.launcher.exitCode).toBe(null)

  const family = descendantsOf(started.launcher)
  started.launcher.kill('SIGKILL')
  await untilAllGone(family)
  expect(started.printed()).toContain('Stopped.')
})

test('the error for a port in use names it and the fix', async () => {
  const other = createServer().listen(place.port, '127.0.0.1')
  onTestFinished(() => void other.close())
  const started = start(place)
  expect(await started.ended).toBe(1)
  expect(started.printed()).toContain(`Port ${place.port} on 127.0.0.1 is already in use`)
  expect(started.printed()).toContain(`PORT=${place.port + 1} npm start`)
})
