import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { useChainHost } from '@dct/devnet/chains/testing/test-host'
import { ownEnvironment } from '@dct/local-services/testing/own-environment'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { chainFactsOf } from '../modules/chain/index.ts'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'
import { settingsOf } from '../testing/host-settings.ts'

const host = useChainHost()
let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database?.drop())

const settings = () => settingsOf(host(), database.settings)

/** Starts one of the server's processes with these settings and stops it at the end of the test. */
function start(
  file: string,
  changes: Record<string, string> = {},
  parameters: readonly string[] = [],
) {
  const child = spawn(process.execPath, [`${import.meta.dirname}/${file}`, ...parameters], {
    env: { ...ownEnvironment(), ...settings(), ...changes },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const printed = { out: '', err: '' }
  child.stdout.on('data', (chunk) => {
    printed.out += chunk
  })
  child.stderr.on('data', (chunk) => {
    printed.err += chunk
  })
  return { process: child, printed }
}

async function linePrinted(started: ReturnType<typeof start>, text: string): Promise<void> {
  while (!started.printed.out.includes(text)) {
    if (started.process.exitCode !== null) throw new Error(started.printed.err)
    await once(started.process.stdout, 'data')
  }
}

test('watcher and worker print a line when they have started', async () => {
  const watcher = start('watcher.ts')
  await linePrinted(watcher, '"msg":"watching"')
  expect(watcher.printed.out).toContain('watcher TRON')
  const worker = start('worker.ts')
  await linePrinted(worker, '"msg":"working"')
  await linePrinted(worker, 'this worker has no key and sends nothing')
})

/** Everything that a process which refuses to start prints to stderr. */
async function refusal(changes: Record<string, string>): Promise<string> {
  const { process: child, printed } = start('watcher.ts', changes)
  await once(child, 'close')
  expect(child.exitCode).toBe(1)
  return printed.err
}

/** A node that lacks the API for final data, like those of some providers. */
async function withoutFinalView(): Promise<string> {
  const server = createServer(async (request, response) => {
    if (request.url?.startsWith('/walletsolidity')) return response.writeHead(404).end('not found')
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const answer = await fetch(`${host().tronUrl}${request.url}`, {
      method: 'POST',
      body: Buffer.concat(chunks),
    })
    return response.writeHead(answer.status).end(await answer.text())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

test('a port in use is reported as the only problem', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  onTestFinished(() => void other.close())
  await once(other, 'listening')
  const { port } = other.address() as AddressInfo
  for (const file of ['api.ts', 'all.ts']) {
    const { process, printed } = start(file, { PORT: `${port}` })
    const [code] = await once(process, 'close')
    const taken = `Another program listens on port ${port} of 127.0.0.1: set PORT.\n`
    expect({ file, code, err: printed.err }).toEqual({ file, code: 1, err: taken })
    expect(printed.out).not.toContain('loop failed')
  }
})

test('a database that does not answer, or refuses, is named with its setting', async () => {
  const { DATABASE_URL = '' } = settings()
  const silent = new URL(DATABASE_URL)
  silent.port = '1'
  expect(await refusal({ DATABASE_URL: silent.href })).toMatch(
    /^DATABASE_URL is not usable: the database does not answer: connect ECONNREFUSED \S+\.\n$/,
  )
  const absent = new URL(DATABASE_URL)
  absent.pathname = '/nowhere'
  expect(await refusal({ DATABASE_URL: absent.href })).toBe(
    'DATABASE_URL is not usable: the database does not answer: database "nowhere" does not exist.\n',
  )
})

test('settings that do not match the chains or the database are refused at start, each with one line that names it', async () => {
  const { TRON_TOKEN = '', TRON_STAKING = '', TRON_REWARD_POOL = '' } = settings()
  const { TRON_FULL_HOST = '', BSC_RPC = '' } = settings()
  const nothing = `0x${'ab'.repeat(20)}`
  const swapped = { TRON_STAKING: TRON_REWARD_POOL, TRON_REWARD_POOL: TRON_STAKING }
  expect(await refusal(swapped)).toBe(
    'TRON_STAKING and TRON_REWARD_POOL are swapped: exchange the two.\n',
  )
  expect(await refusal({ TRON_STAKING: TRON_TOKEN, TRON_TOKEN: TRON_STAKING })).toMatch(
    /^TRON_TOKEN \(T\w{33}\) is not a token on this network\.\n$/,
  )
  expect(await refusal({ BSC_USDT: nothing })).toBe(
    `BSC_USDT (${nothing}) is not a token on this network; USDT with 18 decimals is needed.\n`,
  )
  expect(await refusal({ TRON_FULL_HOST: `${TRON_FULL_HOST}|${BSC_RPC}` })).toMatch(
    /^TRON_FULL_HOST names \S+ with \S+, a node of chain 97/,
  )
  const blind = `${await withoutFinalView()}|${TRON_FULL_HOST}/jsonrpc`
  expect(await refusal({ TRON_FULL_HOST: blind })).toMatch(
    /^TRON_FULL_HOST must serve \/walletsolidity .*status 404\n$/,
  )
})

/** The exit code of a command and its output. */
async function outcomeOf(file: string, parameters: string[], changes = {}) {
  const { process: child, printed } = start(file, { LOG_LEVEL: 'silent', ...changes }, parameters)
  await once(child, 'close')
  return { code: child.exitCode, ...printed }
}

test('an audit that could not compare the contracts exits with code 3 and prints the number of skipped checks', async () => {
  const unwatched = await createTestDatabase()
  try {
    const { code, out } = await outcomeOf('audit.ts', [], { DATABASE_URL: unwatched.url })
    expect(out).toContain('not compared: the watcher is behind the chain')
    expect(out).toMatch(/Full audit: 0 differences, \d+ not compared in/)
    expect(code).toBe(3)
  } finally {
    await unwatched.drop()
  }
})

test('[T063] a command ends a halt after showing the changes, and only with their digest', async () => {
  const watched = await createTestDatabase()
  try {
    const changes = { DATABASE_URL: watched.url }
    const endHalt = (...parameters: string[]) => outcomeOf('end-halt.ts', parameters, changes)
    const watcher = start('watcher.ts', changes)
    await linePrinted(watcher, '"msg":"watching"')
    const cursor = () =>
      watched.db
        .selectFrom('chain_cursor')
        .select(['block_number', 'block_hash'])
        .where('chain', '=', 'BSC')
        .executeTakeFirst()
    await expect.poll(cursor, { timeout: 20_000 }).toBeDefined()
    watcher.process.kill('SIGTERM')
    await once(watcher.process, 'close')
    expect(await endHalt('BSC')).toMatchObject({ code: 1, err: expect.stringMatching(/halted/) })
    const { block_number, block_hash } = (await cursor()) ?? {}
    await sql`insert into chain_halt (chain, block_number, expected_hash, found_hash, halted_at)
      values ('BSC', ${block_number}, ${block_hash}, ${Buffer.alloc(32, 7)}, now())`.execute(
      watched.db,
    )
    const isHalted = async () => (await chainFactsOf(watched.db, 'BSC'))?.isHalted

    expect(await endHalt()).toMatchObject({ code: 2, err: 'Name the chain: TRON or BSC.\n' })
    const look = await endHalt('BSC')
    expect(look.code).toBe(3)
    const [, digest = ''] =
      /run this again with ([0-9a-f]{64}) as the second argument/.exec(look.out) ?? []
    expect((await endHalt('BSC', '0'.repeat(64))).code).toBe(1)
    expect(await isHalted()).toBe(true)
    const ended = await endHalt('BSC', digest)
    expect(ended).toMatchObject({ code: 0, err: '' })
    expect(ended.out).toContain(`BSC is read again, starting with block ${block_number}.`)
    expect(await isHalted()).toBe(false)
  } finally {
    await watched.drop()
  }
})
