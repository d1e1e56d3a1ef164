import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { useChainHost } from '@dct/devnet/chains/testing/test-host'
import { startPostgres } from '@dct/local-services'
import { startForwarder } from '@dct/local-services/testing/forwarder'
import { ownEnvironment } from '@dct/local-services/testing/own-environment'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { recordOwnAddresses } from '../../modules/chain/index.ts'
import { realClock } from '../../platform/clock.ts'
import { openDatabase } from '../../platform/database/db.ts'
import { migrate } from '../../platform/database/migrate.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts'
import { settingsOf } from '../../testing/host-settings.ts'
import { plantedFaults } from '../../testing/planted-faults.ts'
import { startMailServer, startReceiver } from '../../testing/receivers.ts'
import { startPair } from '../../testing/standby.ts'
import { type Config, readConfig } from '../config.ts'
import { examineInstallation, examineSettings } from './examine.ts'

const host = useChainHost()
const NOBODY = 'http://127.0.0.1:1'
type Env = Record<string, string>
let folder = ''
let database: TestDatabase
let sound: Env

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'dct-doctor-'))
  database = await createTestDatabase()
  const { operator, payout } = host().serviceKeys
  sound = {
    ...settingsOf(host(), database.settings),
    LOG_LEVEL: 'silent',
    TRON_OPERATOR_KEY_FILE: fileWith(operator.tronPrivateKey),
    BSC_PAYOUT_KEY_FILE: fileWith(payout.bscPrivateKey),
  }
  await host().control.finalize()
}, 60_000)
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await database?.drop()
})

let files = 0
function fileWith(text: string): string {
  files += 1
  const path = join(folder, `secret-${files}`)
  writeFileSync(path, text, { mode: 0o600 })
  return path
}

/** The findings of `npm run doctor`; block times are real, as in live mode. */
async function findingsOf(
  changes: Env,
  { config = {}, clock = realClock }: { config?: Partial<Config>; clock?: typeof realClock } = {},
) {
  const { config: read, findings } = examineSettings(() => readConfig({ ...sound, ...changes }))
  if (read === undefined) return findings
  const examined = { ...read, mode: 'live' as const, ...config }
  return [...findings, ...(await examineInstallation(examined, { realClock: clock }))]
}

type Findings = Awaited<ReturnType<typeof findingsOf>>
/** The server of the tests is not durable; a test of its own examines that. */
const faultsOf = (findings: Findings) =>
  findings.filter(({ verdict, name }) => verdict === 'fault' && name !== 'database.durable')
const namesOf = (findings: Findings) => findings.map(({ name }) => name)

test('a sound installation has nothing to fix, and everything was examined', async () => {
  const [hook, mail] = [await startReceiver(), await startMailServer()]
  const telegram = await startReceiver()
  telegram.on.request = (response) => response.writeHead(200).end('{"ok":true}')
  const found = await findingsOf({
    ALARM_EMAILS: 'ops@example.org',
    ...{ SMTP_URL: mail.url, SMTP_FROM: 'dct@example.org' },
    ...{ TELEGRAM_API_URL: telegram.url, TELEGRAM_BOT_TOKEN: '1:abc', TELEGRAM_CHAT_ID: '7' },
    HOLDER_TELEGRAM_BOT_TOKEN: '2:abc',
    ...{ ALARM_WEBHOOKS: hook.url, WEBHOOK_SECRETS: `whsec_${'A'.repeat(44)}` },
  })
  expect(faultsOf(found)).toEqual([])
  expect(new Set(namesOf(found))).toEqual(
    new Set([
      ...['settings.valid', 'database.version', 'database.writable', 'database.clock'],
      ...['database.durable', 'database.times'],
      ...[
        'database.usable',
        'database.sessions',
        'database.connections',
        'database.migrated',
        'database.installation',
        'receiver.role',
        'receiver.kind',
      ],
      ...['node.network', 'node.lag', 'node.range', 'node.holes', 'node.quota', 'node.alone'],
      ...['token.dct', 'token.usdt', 'token.agreed', 'contracts.bound', 'contracts.code'],
      ...['vault', 'vault.owner', 'vault.limit'],
      ...['contracts.owner', 'contracts.operator', 'key.opens', 'key.permission', 'key.trx'],
      ...['key.bnb', 'vault.usdt', 'channel.email', 'channel.telegram', 'channel.webhook'],
      ...['holders.email', 'holders.telegram'],
      'database.backup',
    ]),
  )
  // Nothing was sent to anyone.
  expect(mail.mails).toEqual([])
  expect(hook.received.map(({ body }) => body)).toEqual([''])
  expect(telegram.received.map(({ path }) => path).toSorted()).toEqual([
    '/bot1:abc/getChat',
    '/bot2:abc/getMe',
  ])
})

test.each(plantedFaults({ host, fileWith }))(
  'the doctor reports $what',
  async ({ finds, says, plant }) => {
    const faults = faultsOf(await findingsOf(await plant()))
    expect(namesOf(faults).toSorted()).toEqual([...finds].toSorted())
    const named = faults.filter(({ name }) => name === finds[0])
    expect(named.map(({ subject, text }) => `${subject}: ${text}`)[0]).toMatch(says)
  },
)

test('the doctor reports a network that merely uses Nile’s chain id, and a wrong clock', async () => {
  const { tron } = readConfig(sound)
  const foreign = await findingsOf({}, { config: { tron: { ...tron, network: 'nile' } } })
  const [network] = faultsOf(foreign)
  expect(network?.text).toMatch(/another network that also calls itself chain 3448148188/)
  const anHour = 3_600_000
  const late = await findingsOf(
    {},
    { clock: { now: () => new Date(realClock.now().getTime() - anHour) } },
  )
  expect(namesOf(faultsOf(late))).toEqual(['database.clock', 'node.clock', 'node.clock'])
})

test('the doctor reports a connection pooler that loses signals', async () => {
  const url = new URL(database.url)
  const target = { host: url.hostname, port: Number(url.port) }
  const pooler = await startForwarder({
    target: () => target,
    passes: (bytes, from) => from === 'client' || !bytes.includes('signal_probe'),
  })
  url.port = `${pooler.port}`
  const [found, ...others] = faultsOf(await findingsOf({ DATABASE_URL: url.href }))
  pooler.stop()
  expect(found?.name).toBe('database.sessions')
  expect(found?.text).toMatch(/pool_mode = session/)
  expect(others).toEqual([])
})

test.each([
  { where: 'refuses the others', answersAll: false },
  // PgBouncer answers a login itself, and lets its first statement wait.
  { where: 'leaves the others waiting after their login', answersAll: true },
])(
  'the doctor reports a connection pooler that gives fewer connections than a process opens, and $where',
  async ({ answersAll }) => {
    const url = new URL(database.url)
    const target = { host: url.hostname, port: Number(url.port) }
    let given = 0
    const pooler = await startForwarder({
      target() {
        given += 1
        return given > 20 && !answersAll ? undefined : target
      },
      passes: (bytes) => given <= 20 || !bytes.includes('connection_probe'),
    })
    url.port = `${pooler.port}`
    const [found, ...others] = faultsOf(await findingsOf({ DATABASE_URL: url.href }))
    pooler.stop()
    expect(found?.name).toBe('database.connections')
    expect(found?.text).toMatch(
      /^It does not give 25 connections at a time .*default_pool_size and max_client_conn, to 25/,
    )
    expect(others).toEqual([])
  },
)

test('the doctor reports a database that is a standby', async () => {
  const pair = await startPair(join(folder, 'pair'))
  const found = faultsOf(await findingsOf({ DATABASE_URL: pair.standby.url }))
  await pair.stop()
  expect(namesOf(found)).toEqual(['database.writable', 'database.migrated'])
  expect(found[0]?.text).toMatch(/standby/)
})

test('the doctor reports a database that is empty, newer, read-only or another installation’s, or that knows the receiver as a payout wallet', async () => {
  const own = await createTestDatabase()
  const { db } = own
  const faults = async () => faultsOf(await findingsOf(own.settings))
  const named = async () => namesOf(await faults())
  await recordOwnAddresses(
    db,
    [{ role: 'payout_wallet', address: host().serviceKeys.feeReceiver.bscAddress }],
    realClock.now(),
  )
  await db.insertInto('pin').values({ name: 'Tron chain', value: '1' }).execute()
  expect(await named()).toEqual(['database.installation', 'receiver.role'])
  await sql`insert into migration (name) values ('9999-later')`.execute(db)
  expect((await faults())[0]?.text).toMatch(/migrated by a newer version/)
  await sql`drop schema public cascade`.execute(db)
  await sql`create schema public`.execute(db)
  expect((await faults())[0]?.text).toMatch(/migrations are missing.*command\.mjs migrate/)
  const name = new URL(own.url).pathname.slice(1)
  await sql`alter database ${sql.id(name)} set default_transaction_read_only = on`.execute(db)
  expect(await named()).toEqual(['database.writable', 'database.migrated'])
  // The examination created nothing, not even the table of migrations.
  const { rows } = await sql`select from pg_tables where schemaname = 'public'`.execute(db)
  expect(rows).toEqual([])
  await own.drop()
})

test.each([
  ['encoding', /encoding is LATIN1: create it with/],
  ['rights', /the role \S+ may not create tables: grant create/],
] as const)(
  'the doctor, and a migration before it begins, report a database of wrong %s',
  async (kind, words) => {
    const server = new URL(sound.DATABASE_URL ?? '')
    const name = `odd_${kind}`
    const role = `odd_${kind}_role`
    const admin = openDatabase({ url: server.href, maxConnections: 1 })
    const options =
      kind === 'encoding' ? sql`encoding 'LATIN1' locale 'C' template template0` : sql``
    await sql`create database ${sql.id(name)} ${options}`.execute(admin)
    await sql`create role ${sql.id(role)} login password 'x' ${kind === 'encoding' ? sql`superuser` : sql``}`.execute(
      admin,
    )
    const url = new URL(server)
    ;[url.pathname, url.username, url.password] = [`/${name}`, role, 'x']
    const found = (await findingsOf({ DATABASE_URL: url.href })).find(
      ({ name: check }) => check === 'database.usable',
    )
    expect(found).toMatchObject({ verdict: 'fault', text: expect.stringMatching(words) })
    const db = openDatabase({ url: url.href, maxConnections: 2 })
    await expect(migrate(db)).rejects.toThrow(words)
    await db.destroy()
    await sql`drop database ${sql.id(name)}`.execute(admin)
    await sql`drop role ${sql.id(role)}`.execute(admin)
    await admin.destroy()
  },
)

test('as a program it exits with code 1 while there is something to fix, reports in words or as JSON, and prints no secret', async () => {
  const run = async (args: readonly string[], changes: Env) => {
    const child = spawn(process.execPath, ['apps/server/src/main/doctor.ts', ...args], {
      env: { ...ownEnvironment(), ...sound, ...changes },
    })
    let out = ''
    child.stdout.on('data', (chunk) => {
      out += chunk
    })
    const [code] = await once(child, 'close')
    return { code, out }
  }
  const sick = { BSC_RPC: `${NOBODY}/secret-path-of-a-key` }
  const words = await run([], sick)
  expect(words.code).toBe(1)
  expect(words.out).toMatch(/^FAULT {2}BSC 127\.0\.0\.1:1: .* could not be reached/m)
  expect(words.out).toMatch(/to fix\.\n$/)
  const durable = await startDurable()
  const { code, out } = await run(['--json'], durable.settings)
  expect(code).toBe(0)
  expect(JSON.parse(out)).toMatchObject({ is_sound: true })
  await durable.stop()
  const { operator, payout } = host().serviceKeys
  for (const text of [words.out, out]) {
    for (const secret of [operator.tronPrivateKey, payout.bscPrivateKey, 'secret-path-of-a-key']) {
      expect(text).not.toContain(secret.replace('0x', ''))
    }
  }
})

test('the doctor reports a server that can lose committed data', async () => {
  const { db, settings, stop } = await startDurable()
  await sql`alter system set fsync = off`.execute(db)
  await sql`select pg_reload_conf()`.execute(db)
  const found = (await findingsOf(settings)).filter(({ verdict }) => verdict === 'fault')
  await stop()
  expect(namesOf(found)).toEqual(['database.durable'])
  expect(found[0]?.text).toMatch(/payments can be lost, and would be made again: turn fsync on/)
})

/** A separate server that survives a crash, unlike the one of the tests. */
async function startDurable() {
  const server = await startPostgres({ dir: mkdtempSync(join(folder, 'durable-')) })
  const db = openDatabase({ url: server.url, maxConnections: 1 })
  await migrate(db)
  const stop = async () => {
    await db.destroy()
    await server.stop()
  }
  return { db, settings: { DATABASE_URL: server.url }, stop }
}
