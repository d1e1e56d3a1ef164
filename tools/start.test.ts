import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort, inspectProcess } from '@dct/local-services'
import { expect, onTestFinished, test } from 'vitest'
import { ROOT } from './repository.ts'

const READY_MS = 60_000
const GONE_MS = 15_000

type Place = { dataDir: string; port: number }

async function makePlace(): Promise<Place> {
  const dataDir = mkdtempSync(join(tmpdir(), 'dct-start-'))
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }))
  return { dataDir, port: await freePort() }
}

/** `npm start` as its script runs it, with what it printed so far. */
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

async function until<T>(what: string, ms: number, look: () => T | Promise<T>): Promise<T> {
  const deadline = performance.now() + ms
  while (true) {
    const found = await look()
    if (found) return found
    if (performance.now() > deadline) throw new Error(`not within ${ms} ms: ${what}`)
    await pause(50)
  }
}

async function isHealthy({ port }: Place): Promise<boolean> {
  try {
    const response = await fetch(`http://127.0.0.1:${port}/api/health`)
    await response.arrayBuffer()
    return response.status === 200
  } catch {
    // Nobody listens yet.
    return false
  }
}

async function untilReady(place: Place, started: ReturnType<typeof start>): Promise<void> {
  const isReady = () => started.printed().includes(`Open http://127.0.0.1:${place.port}`)
  await until('ready', READY_MS, () => {
    if (started.launcher.exitCode !== null) throw new Error(started.printed())
    return isReady()
  })
  expect(await isHealthy(place)).toBe(true)
}

type Descendant = { pid: number; args: string }

/** Every process that stems from this one, by the system's own table. */
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
  const alive = () => family.filter(({ pid }) => inspectProcess(pid).state === 'alive')
  await until('all processes gone', GONE_MS, () => alive().length === 0).catch((cause) => {
    throw new Error(`left behind: ${JSON.stringify(alive())}`, { cause })
  })
}

test('a server that is killed comes back; Ctrl-C stops all; a second start goes on', async () => {
  const place = await makePlace()
  const first = start(place)
  await untilReady(place, first)
  const family = descendantsOf(first.launcher)
  for (const part of ['postgres -D', 'bin/anvil', 'devnet/src/main.ts']) findOne(family, part)

  const server = findOne(family, 'apps/server/src/main/all.ts')
  process.kill(server, 'SIGKILL')
  await until('another server', READY_MS, () =>
    descendantsOf(first.launcher).some(
      ({ pid, args }) => pid !== server && args.includes('apps/server/src/main/all.ts'),
    ),
  )
  await until('healthy again', READY_MS, () => isHealthy(place))

  const all = descendantsOf(first.launcher)
  first.launcher.kill('SIGINT')
  expect(await first.ended).toBe(0)
  await untilAllGone([...family, ...all])
  expect(first.printed()).toContain('Stopped.')
  expect(existsSync(join(place.dataDir, 'devnet.lock'))).toBe(false)

  const second = start(place)
  await untilReady(place, second)
})

test.each([
  ['the launcher', 'SIGKILL', undefined],
  ['the supervisor', 'SIGKILL', 'devnet/src/main.ts'],
] as const)('no process stays behind when %s is killed with %s', async (_, signal, part) => {
  const place = await makePlace()
  const started = start(place)
  await untilReady(place, started)
  const family = descendantsOf(started.launcher)
  process.kill(part === undefined ? (started.launcher.pid ?? 0) : findOne(family, part), signal)
  await started.ended
  await untilAllGone(family)

  const again = start(place)
  await untilReady(place, again)
})

test('no process stays behind when npm is killed', async () => {
  const place = await makePlace()
  const started = start(place, ['npm', 'start'])
  await untilReady(place, started)
  const family = descendantsOf(started.launcher)
  started.launcher.kill('SIGKILL')
  await untilAllGone(family)
  expect(started.printed()).toContain('Stopped.')
})

test('a port that is taken is named, with the mend', async () => {
  const place = await makePlace()
  const other = createServer().listen(place.port, '127.0.0.1')
  onTestFinished(() => void other.close())
  const started = start(place)
  expect(await started.ended).toBe(1)
  expect(started.printed()).toContain(`Port ${place.port} on 127.0.0.1 is already in use`)
  expect(started.printed()).toContain(`PORT=${place.port + 1} npm start`)
})

test('a second devnet on the same data is refused', async () => {
  const place = await makePlace()
  const first = start(place)
  await until('the lock', READY_MS, () => existsSync(join(place.dataDir, 'devnet.lock')))
  const second = start({ ...place, port: await freePort() })
  expect(await second.ended).toBe(1)
  expect(second.printed()).toContain('Another devnet (process')
  expect(first.launcher.exitCode).toBe(null)
})
