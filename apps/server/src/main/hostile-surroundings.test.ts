import { useChainHost } from '@dct/devnet/chains/testing/test-host'
import { parseAmount } from '@dct/money'
import { toHex } from 'viem'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import webPush from 'web-push'
import { openAlarms, raiseAlarm } from '../platform/alarms/alarms.ts'
import { DAY_MS, realClock } from '../platform/clock.ts'
import { isOutage } from '../platform/database/db.ts'
import { HOLDER_CHANNELS } from '../platform/database/platform.tables.ts'
import { createLogger } from '../platform/logger.ts'
import { createLoopRunner } from '../platform/loops/loop.ts'
import { createTimeGuard } from '../platform/time-guard.ts'
import { everything } from '../testing/all-tables.ts'
import { createTestDatabase } from '../testing/database.ts'
import { type Fault, startFaultyProxy } from '../testing/faulty-proxy.ts'
import { createBrowser, givenEmail } from '../testing/notices-world.ts'
import { startRealApp } from '../testing/real-app.ts'
import { call, devnet, givenPayer, givenRealHolder } from '../testing/real-claims.ts'
import { startMailServer, startReceiver } from '../testing/receivers.ts'
import { addressesOf, dctOf, sendUsdt } from '../testing/sender-chains.ts'
import { startSilentLink } from '../testing/silent-link.ts'

const host = useChainHost()
const SECRET = `whsec_${Buffer.alloc(24, 1).toString('base64')}`
const VAPID = webPush.generateVAPIDKeys()
const TICK_MS = 6_000
/** Until an alarm names a fault: a minute, and the pause of the loop that raises it. */
const NAMED_WITHIN_TICKS = 13

// Time goes on as usual, and can be made to pass faster.
beforeEach(() => vi.useFakeTimers({ toFake: ['Date', 'performance'], shouldAdvanceTime: true }))
afterEach(() => vi.useRealTimers())

type World = Awaited<ReturnType<typeof givenWorld>>

/** The whole service between outside parties that the test makes silent or wrong. */
async function givenWorld() {
  const database = await createTestDatabase()
  const mail = await startMailServer()
  const [link, mailLink] = [await startSilentLink(database.url), await startSilentLink(mail.url)]
  const [telegram, push, hook] = [
    await startReceiver(),
    await startReceiver(),
    await startReceiver(),
  ]
  const accept = () => {
    telegram.on.request = (response, { path }) =>
      response.end(path.endsWith('getMe') ? BOT : '{"ok":true,"result":[]}')
    push.on.request = (response) => response.writeHead(201).end()
    hook.on.request = (response) => response.writeHead(204).end()
    mail.on.refusal = null
    mailLink.restore()
  }
  accept()
  const nodes = {
    tron: await startFaultyProxy(host().tronUrl),
    tronRpc: await startFaultyProxy(host().tronJsonRpcUrl),
    bsc: await startFaultyProxy(host().bscUrl),
  }
  const real = await startRealApp(
    host(),
    {
      ...{ DATABASE_URL: link.url, BSC_RPC: nodes.bsc.url },
      TRON_FULL_HOST: `${nodes.tron.url}|${nodes.tronRpc.url}`,
      ...{ SMTP_URL: mailLink.url, SMTP_FROM: 'dct@example.org' },
      ...{ ALARM_EMAILS: 'ops@example.org', TELEGRAM_API_URL: telegram.url },
      ...{ TELEGRAM_BOT_TOKEN: '1:ops', TELEGRAM_CHAT_ID: '-42' },
      ...{ HOLDER_TELEGRAM_BOT_TOKEN: '2:holders', WEBHOOK_SECRETS: SECRET },
      ...{ ALARM_WEBHOOKS: `${hook.url}/a`, EVENT_WEBHOOKS: `${hook.url}/a` },
      VAPID_PRIVATE_KEY: VAPID.privateKey,
    },
    database,
  )
  onTestFinished(async () => {
    await real.stop()
    for (const node of Object.values(nodes)) await node.stop()
  })
  const step = async (ms: number) => {
    vi.advanceTimersByTime(ms)
    // A failed step is tried again later.
    for (const { step: stepOnce } of real.loops) await stepOnce().catch(() => undefined)
  }
  const subjects = async () =>
    (await openAlarms(database.db)).map(({ kind, subject }) => `${kind} ${subject}`)
  return {
    ...{ real, database, link, mailLink, mail, telegram, push, hook, nodes, accept, subjects },
    setNodes(fault: Fault) {
      for (const node of Object.values(nodes)) node.setFaults(() => fault)
    },
    /** Lets time pass, and all background work happen, until this is so. */
    async passUntil(
      isSo: () => Promise<boolean>,
      { ticks = NAMED_WITHIN_TICKS, ms = TICK_MS } = {},
    ) {
      for (let tick = 0; tick < ticks && !(await isSo()); tick += 1) await step(ms)
      expect(await isSo()).toBe(true)
    },
    raise: (subject: string) =>
      raiseAlarm(database.db, {
        ...{ kind: 'payout.stuck', subject, message: 'A test.', at: realClock.now() },
      }),
  }
}
const BOT = '{"ok":true,"result":{"username":"dct_bot"}}'

/** A holder with 50 DCT locked, who receives messages over every channel. */
async function givenListener({ real, database, push }: World) {
  const holder = await givenRealHolder(real, host())
  await givenEmail(database.db, holder, 'holder@example.com')
  const at = realClock.now()
  await everything(database.db)
    .insertInto('notice_channel')
    .values({
      ...{ user_id: holder.id, kind: 'telegram', address: '77', label: '', push_key: null },
      ...{ push_secret: null, created_at: at, confirmed_at: at, ended_at: null, problem: null },
    })
    .execute()
  const payload = { ...createBrowser(`${push.url}/x`).subscription, language: 'en' }
  const { status } = await call(real, holder, {
    ...{ method: 'POST', url: '/user/notices/push', payload },
  })
  expect(status).toBe(200)
  return holder
}

const FAILING = 'notifications.failing'
/** The receivers of messages, as alarms name them. */
const RECEIVERS = [
  `${FAILING} email ops@example.org`,
  `${FAILING} telegram -42`,
  `${FAILING} webhook`,
  `${FAILING} holder_email`,
  `${FAILING} holder_telegram`,
]

const isNamed = async ({ subjects }: World, expected: readonly string[]) => {
  const found = await subjects()
  return expected.every((one) => found.some((subject) => subject.startsWith(one)))
}

test('a holder joins, claims and is paid while every receiver of messages is silent and then wrong: each is named, nothing is lost, nobody blamed', async () => {
  const world = await givenWorld()
  const { real, database, telegram, push, hook, mail, mailLink } = world
  const holder = await givenListener(world)

  // Silent.
  for (const { on } of [telegram, push, hook]) on.request = () => undefined
  mailLink.silence()
  await devnet(real, 'settle')
  await devnet(real, 'advance', { days: 10 })
  const payload = { earning_plan_code: 'PLAN-360', claim_type: 'HALF' }
  const claimed = await call(real, holder, { method: 'POST', url: '/user/claim', payload })
  await devnet(real, 'settle')
  expect(await dctOf(host(), toHex(holder.address))).toBe(500_000n)
  await world.raise('while silent')
  await world.passUntil(() => isNamed(world, RECEIVERS))

  // Wrong.
  telegram.on.request = (response) =>
    response.writeHead(401).end('{"ok":false,"description":"Unauthorized"}')
  push.on.request = (response) => response.writeHead(403).end()
  hook.on.request = (response) => response.writeHead(500).end()
  mailLink.restore()
  mail.on.refusal = { responseCode: 550, message: '5.1.8 Sender address rejected' }
  const { privateKey } = await givenPayer(host())
  const amount = parseAmount('USDT', claimed.body.data.unpaid_fee_usdt)
  await sendUsdt(host(), privateKey, { to: addressesOf(host()).feeReceiver, amount })
  await devnet(real, 'settle')
  expect(await dctOf(host(), toHex(holder.address))).toBe(1_000_000n)
  await world.raise('while wrong')
  await world.passUntil(() => isNamed(world, [...RECEIVERS, `${FAILING} holder_push`]))

  // Right again.
  world.accept()
  const states = async () =>
    (
      await everything(database.db)
        .selectFrom('outbox_delivery')
        .select('state')
        .where('channel', 'in', HOLDER_CHANNELS)
        .execute()
    ).map(({ state }) => state)
  const isOver = async () =>
    !(await world.subjects()).some((subject) => subject.startsWith(FAILING))
  await world.passUntil(async () => (await isOver()) && !(await states()).includes('pending'), {
    ...{ ticks: 40, ms: 60_000 },
  })
  expect(await states()).not.toContain('failed')
  const { body } = await call(real, holder, { url: '/user/notices' })
  expect([body.email.state, body.telegram.state, body.push[0].state]).toEqual([
    ...['confirmed', 'linked', 'subscribed'],
  ])
}, 240_000)

test('while nodes give no answer they are named, and once they do, everything goes on', async () => {
  const world = await givenWorld()
  const { real } = world
  await devnet(real, 'settle')
  const isNodeNamed = async (chain: string) =>
    (await world.subjects()).some((subject) => subject.startsWith(`node_down ${chain}`))
  for (const fault of ['lose-request', 'truncate'] as const) {
    world.setNodes(fault)
    await world.passUntil(async () => (await isNodeNamed('TRON')) && (await isNodeNamed('BSC')))
    world.setNodes('none')
    await world.passUntil(async () => !((await isNodeNamed('TRON')) || (await isNodeNamed('BSC'))))
  }
  const holder = await givenRealHolder(real, host())
  await devnet(real, 'settle')
  const { body } = await call(real, holder, { url: '/user/earnings' })
  expect(JSON.stringify(body)).toContain('PLAN-360')
}, 480_000)

test('while the link to the database is silent calls answer 503, and afterwards everything goes on', async () => {
  const world = await givenWorld()
  const holder = await world.real.givenUser()
  const ready = async () => (await world.real.app.inject('/api/ready')).statusCode
  world.link.silence()
  const statuses = await Promise.all([ready(), call(world.real, holder, { url: '/user/notices' })])
  expect([statuses[0], statuses[1].status]).toEqual([503, 503])
  const distributor = world.real.loops.find(({ name }) => name === 'distributor')
  expect(await distributor?.step().then(() => 'done', isOutage)).toBe(true)
  world.link.restore()
  await expect.poll(ready, { timeout: 20_000 }).toBe(200)
  await devnet(world.real, 'settle')
}, 240_000)

test('while the clock is a year ahead nothing runs; afterwards every loop and job goes on, and the alarm ends', async () => {
  const world = await givenWorld()
  const { real, database } = world
  await devnet(real, 'settle')
  const guard = createTimeGuard({
    ...{ db: database.db, clock: real.context.clock, realClock, host: 'worker-1' },
    monotonic: () => performance.now(),
    readBlockTime: async () => real.context.clock.now(),
  })
  await guard.compare()
  expect(guard.isTrusted()).toBe(true)
  const loops = guard.loop === undefined ? real.loops : [...real.loops, guard.loop]
  const right = realClock.now().getTime()
  vi.setSystemTime(right + 365 * DAY_MS)
  const runner = createLoopRunner(
    loops,
    createLogger('silent'),
    { shortest: 50, longest: 50 },
    guard.isTrusted,
  )
  runner.start()
  onTestFinished(() => runner.stop())
  await expect.poll(world.subjects, { timeout: 20_000 }).toContain('clock_skew worker-1')
  const held = loops.filter(({ runsAtAnyTime }) => runsAtAnyTime !== true).map(({ name }) => name)
  const succeeded = () =>
    runner.status().filter(({ name, steps }) => held.includes(name) && steps.succeeded > 0)
  expect(held.length).toBeGreaterThan(15)
  expect(succeeded()).toEqual([])
  vi.setSystemTime(right + 5_000)
  await expect.poll(() => succeeded().length, { timeout: 60_000 }).toBe(held.length)
  const raised = new Date(realClock.now().getTime() - 120_000)
  await everything(database.db)
    .updateTable('alarm')
    .set({ raised_at: raised, confirmed_at: raised })
    .execute()
  await expect.poll(world.subjects, { timeout: 30_000 }).not.toContain('clock_skew worker-1')
}, 240_000)
