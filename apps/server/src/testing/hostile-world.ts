import { sql } from 'kysely'
import { expect, onTestFinished } from 'vitest'
import webPush from 'web-push'
import type { Context } from '../main/context.ts'
import { messageHolders } from '../modules/messages/index.ts'
import { raiseAlarm } from '../platform/alarms/alarms.ts'
import { realClock } from '../platform/clock.ts'
import { inTransaction } from '../platform/database/db.ts'
import { createTimeGuard } from '../platform/time-guard.ts'
import { everything } from './all-tables.ts'
import { createTestDatabase, type TestDatabase } from './database.ts'
import { startFaultyProxy } from './faulty-proxy.ts'
import { startHostileDisk } from './hostile-disk.ts'
import { createBrowser, givenEmail } from './messages-world.ts'
import { type RealApp, startRealApp } from './real-app.ts'
import { call, devnet, givenRealHolder } from './real-claims.ts'
import { startMailServer, startReceiver } from './receivers.ts'
import type { Chains } from './sender-chains.ts'
import { startSilentLink } from './silent-link.ts'
import { simulateTime } from './simulated-time.ts'
import type { TestUser } from './users.ts'

/**
 * Loops look for work more rarely than in live, or as rarely, which takes less time and makes alarms no earlier: those
 * that send messages every three seconds, as when they are idle, and all others every ten.
 */
const PAUSES = { shortest: 3_000, longest: 3_000 }
const SENDS = ['outbox', 'holder messages']
const PAUSE_MS = 10_000
const SECRET = `whsec_${Buffer.alloc(24, 1).toString('base64')}`
const VAPID = webPush.generateVAPIDKeys()
const NODES = 3
/** Alarms of this kind only make the channels send something. */
const TEST_KIND = 'plan_adopted'
/** Told directly, because it says that nothing can be stored. */
const DIRECT_KIND = 'database.down'
const nowReally = Date.now
const monotonic = performance.now.bind(performance)
/** As many as it takes until a push service's silence is no coincidence. */
const LISTENERS = 3
/** Holders with something to claim. */
const LIVES = 2

export type HostileWorld = Awaited<ReturnType<typeof startHostileWorld>>

type HostChains = Parameters<typeof startRealApp>[0] & Chains

/** The whole service, running in simulated time, between outside parties that a test makes fail. */
export async function startHostileWorld(chains: HostChains) {
  const database = await createTestDatabase()
  const receivers = await startReceivers()
  const link = await startSilentLink(database.url)
  const nodes = await startNodes(chains)
  /** How far the service's clock is off. */
  const skew = { ms: 0 }
  const settings = { ...settingsOf(receivers, nodes), DATABASE_URL: link.url }
  const disk = await startHostileDisk(database)
  const proxies = nodes.flatMap((node) => Object.values(node))
  const time = simulateTime(
    () => (link.waiting() > 0 && !disk.isHanging()) || proxies.some((one) => one.forwarding() > 0),
  )
  onTestFinished(time.stop)
  const real = await time.during(
    startRealApp(chains, settings, database, {
      pauses: PAUSES,
      changeLoop: (loop) =>
        SENDS.includes(loop.name)
          ? loop
          : { ...loop, pauseMs: Math.max(PAUSE_MS, loop.pauseMs ?? 0) },
      change: (context) => ({ timeGuard: guardOf(context, skew) }),
    }),
  )
  onTestFinished(async () => {
    let hasStopped = false
    void real.runner.stop().then(() => {
      hasStopped = true
    })
    await time.until(() => hasStopped, 60_000)
    time.stop()
    await real.stop()
    for (const proxy of proxies) await proxy.stop()
  })
  const endpoint = receivers.push.url
  const holders = await time.during(givenHolders(real, { chains, database, endpoint }))
  const { listeners } = holders
  const parties = { ...receivers, link, disk, skew, nodes }
  const told = messages(database, listeners)
  return {
    ...{ real, chains, database, time, ...holders, ...parties },
    ...{ ...told, ...observed(database, receivers.hook) },
  }
}

/** Holders with something to claim, and holders who receive messages. */
async function givenHolders(
  real: RealApp,
  given: { chains: HostChains; database: TestDatabase; endpoint: string },
) {
  const [veterans, listeners] = [[] as TestUser[], [] as TestUser[]]
  for (let at = 0; at < LIVES; at += 1) veterans.push(await givenRealHolder(real, given.chains))
  await devnet(real, 'settle')
  // After six days of 0.1 DCT each, a half is not below the least claim.
  await devnet(real, 'advance', { days: 6 })
  await real.context.timeGuard.compare()
  for (let at = 0; at < LISTENERS; at += 1) {
    listeners.push(await givenListener(real, given.database, `${given.endpoint}/${at}`))
  }
  return { veterans, listeners }
}

async function startReceivers() {
  const mail = await startMailServer()
  const mailLink = await startSilentLink(mail.url)
  const [telegram, push, hook] = [
    await startReceiver(),
    await startReceiver(),
    await startReceiver(),
  ]
  return { mail, mailLink, telegram, push, hook }
}

async function startNodes(chains: HostChains) {
  const nodes = []
  for (let at = 0; at < NODES; at += 1) {
    nodes.push({
      tron: await startFaultyProxy(chains.tronUrl),
      tronRpc: await startFaultyProxy(chains.tronJsonRpcUrl),
      bsc: await startFaultyProxy(chains.bscUrl),
    })
  }
  return nodes
}

function settingsOf(
  { mailLink, telegram, hook }: Awaited<ReturnType<typeof startReceivers>>,
  nodes: Awaited<ReturnType<typeof startNodes>>,
) {
  return {
    TRON_FULL_HOST: nodes.map(({ tron, tronRpc }) => `${tron.url}|${tronRpc.url}`).join(),
    BSC_RPC: nodes.map(({ bsc }) => bsc.url).join(),
    ...{ SMTP_URL: mailLink.url, SMTP_FROM: 'dct@example.org', ALARM_EMAILS: 'ops@example.org' },
    ...{ TELEGRAM_API_URL: telegram.url, TELEGRAM_BOT_TOKEN: '1:ops', TELEGRAM_CHAT_ID: '-42' },
    ...{ HOLDER_TELEGRAM_BOT_TOKEN: '2:holders', WEBHOOK_SECRETS: SECRET },
    ...{ ALARM_WEBHOOKS: `${hook.url}/a`, EVENT_WEBHOOKS: `${hook.url}/a` },
    VAPID_PRIVATE_KEY: VAPID.privateKey,
  }
}

/** A guard as in live. It compares with the database's clock, which is not simulated. */
function guardOf({ db, movableClock }: Context, skew: { ms: number }) {
  const right = () => new Date(nowReally() + (movableClock?.offsetMs ?? 0))
  return createTimeGuard({
    ...{ db, realClock, host: 'worker-1', monotonic, readBlockTime: async () => right() },
    clock: { now: () => new Date(right().getTime() + skew.ms) },
  })
}

/** A holder who receives messages over every channel. */
async function givenListener(real: RealApp, { db }: TestDatabase, endpoint: string) {
  const holder = await real.givenUser()
  await givenEmail(db, holder, `holder${holder.id}@example.com`)
  const at = realClock.now()
  await everything(db)
    .insertInto('message_channel')
    .values({
      ...{ user_id: holder.id, kind: 'telegram', address: `77${holder.id}`, label: '' },
      ...{ push_key: null, push_secret: null, created_at: at, confirmed_at: at, ended_at: null },
      problem: null,
    })
    .execute()
  const payload = { ...createBrowser(endpoint).subscription, language: 'en' }
  const { status } = await call(real, holder, {
    ...{ method: 'POST', url: '/user/messages/push', payload },
  })
  expect(status).toBe(200)
  return holder
}

function messages({ db }: TestDatabase, listeners: readonly TestUser[]) {
  let count = 0
  return {
    /** Something for every channel to send. */
    async messageAll() {
      count += 1
      const at = realClock.now()
      const amount = { asset: 'USDT', units: 1n } as const
      const facts = {
        plan_code: 'PLAN-360',
        claim_code: `CL-${count}`,
        amount,
        variant: '',
      } as const
      await inTransaction(db, async (tx) => {
        await messageHolders(
          tx,
          listeners.map(({ id: userId }) => ({
            ...{ userId, kind: 'fee_seen' as const, key: `${userId} ${count}`, facts, at },
          })),
        )
        const subject = `a plan ${count}`
        await raiseAlarm(tx, { kind: TEST_KIND, subject, message: 'A test.', at })
      })
    },
  }
}

type Told = { type: string; data: { kind: string; subject: string } }

/** What an operator sees: the alarms in the database, and those that only the webhook has been told. */
function observed({ db }: TestDatabase, hook: { received: readonly { body: string }[] }) {
  let seen = { alarm: 0n, received: 0 }
  const nameOf = ({ kind, subject }: { kind: string; subject: string }) => `${kind} ${subject}`
  const stored = async () =>
    everything(db)
      .selectFrom('alarm')
      .select(['id', 'kind', 'subject', 'message', 'cleared_at'])
      .where('kind', '<>', TEST_KIND)
      .orderBy('id')
      .execute()
  const received = () => hook.received.map(({ body }) => JSON.parse(body) as Told)
  const direct = (since = 0) =>
    received()
      .slice(since)
      .filter(({ type, data }) => type === 'alarm.raised' && data.kind === DIRECT_KIND)
      .map(({ data }) => nameOf(data))
  return {
    received,
    /** From here on, alarms are new. */
    async mark() {
      seen = { alarm: (await stored()).at(-1)?.id ?? 0n, received: hook.received.length }
    },
    async raisedSince() {
      const found = (await stored()).filter(({ id }) => id > seen.alarm)
      return [...direct(seen.received), ...found.map((one) => `${nameOf(one)}: ${one.message}`)]
    },
    async openAlarms() {
      const ended = await everything(db)
        .selectFrom('outbox_message')
        .select('id')
        .where('type', '=', 'alarm.resolved')
        .where(sql<boolean>`data ->> 'kind' = ${DIRECT_KIND}`)
        .execute()
      const open = (await stored()).filter(({ cleared_at }) => cleared_at === null)
      return [...direct().slice(ended.length), ...open.map(nameOf)]
    },
  }
}
