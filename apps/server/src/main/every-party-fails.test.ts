import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { useChainHost } from '@dct/devnet/chains/testing/test-host'
import { parseAmount } from '@dct/money'
import { toHex } from 'viem'
import { expect, test } from 'vitest'
import { everything } from '../testing/all-tables.ts'
import type { Fault as NodeFault } from '../testing/faulty-proxy.ts'
import { type HostileWorld, startHostileWorld } from '../testing/hostile-world.ts'
import { call, givenPayer, joinOnChain } from '../testing/real-claims.ts'
import { trickle } from '../testing/receivers.ts'
import { addressesOf, dctOf, sendUsdt } from '../testing/sender-chains.ts'
import type { TestUser } from '../testing/users.ts'

const host = useChainHost()

const FAULTS = ['silent', 'slow', 'wrong', 'full'] as const
const MINUTE_MS = 60_000
const YEAR_MS = 365 * 24 * 60 * MINUTE_MS

type Party = Record<(typeof FAULTS)[number], () => unknown> & {
  name: string
  /** Nothing can be done without it. */
  isVital?: boolean
  mend(): unknown
  /** Patterns of the alarms that name it, with kind and subject: each of the first, and perhaps some of the others. */
  alarms: readonly string[]
  others?: readonly string[]
}

const FAILING = 'notifications.failing'
const BOT = '{"ok":true,"result":{"username":"dct_bot"}}'

/**
 * The receivers fail two at a time, because the others have to hear of it. Where backups are stored is no party: they are
 * made by PostgreSQL's own tools, and their age is an alarm of its own (platform/database/backups.test.ts).
 */
function partiesOf(world: HostileWorld): Party[] {
  const { webhook, push, telegram, mail } = receiversOf(world)
  return [both(webhook, push), both(telegram, mail), ...nodesOf(world), ...vitalOf(world)]
}

function both(one: Party, other: Party): Party {
  const each = (act: (party: Party) => unknown) => async () => {
    await act(one)
    await act(other)
  }
  return {
    name: `${one.name} and ${other.name}`,
    alarms: [...one.alarms, ...other.alarms],
    others: [...(one.others ?? []), ...(other.others ?? [])],
    silent: each((party) => party.silent()),
    slow: each((party) => party.slow()),
    wrong: each((party) => party.wrong()),
    full: each((party) => party.full()),
    mend: each((party) => party.mend()),
  }
}

function receiversOf({ mail, mailLink, telegram, push, hook }: HostileWorld) {
  const says =
    (status: number, body = '') =>
    (response: ServerResponse) =>
      response.writeHead(status).end(body)
  const acceptTelegram = () => {
    telegram.on.request = (response, { path }) =>
      response.end(path.endsWith('getMe') ? BOT : '{"ok":true,"result":[]}')
  }
  acceptTelegram()
  return {
    webhook: {
      name: 'webhook',
      alarms: [`${FAILING} webhook`],
      silent: () => (hook.on.request = () => undefined),
      slow: () => (hook.on.request = trickle),
      wrong: () => (hook.on.request = says(302)),
      full: () => (hook.on.request = says(507)),
      mend: () => (hook.on.request = says(204)),
    },
    push: {
      name: 'push service',
      alarms: [`${FAILING} holder_push`],
      silent: () => (push.on.request = () => undefined),
      slow: () => (push.on.request = trickle),
      wrong: () => (push.on.request = says(403)),
      full: () => (push.on.request = says(429)),
      mend: () => (push.on.request = says(201)),
    },
    telegram: {
      name: 'Telegram',
      alarms: [`${FAILING} telegram`, `${FAILING} holder_telegram`],
      others: ['loop.stuck .*: telegram bot'],
      silent: () => (telegram.on.request = () => undefined),
      slow: () => (telegram.on.request = trickle),
      wrong: () => (telegram.on.request = says(401, '{"ok":false,"description":"Unauthorized"}')),
      full: () => (telegram.on.request = says(429, '{"ok":false,"parameters":{"retry_after":20}}')),
      mend: acceptTelegram,
    },
    mail: {
      name: 'mail server',
      alarms: [`${FAILING} email ops@example.org`, `${FAILING} holder_email`],
      silent: () => mailLink.silence(),
      slow: () => mailLink.delay(15_000),
      wrong: () =>
        (mail.on.refusal = { responseCode: 550, message: '5.1.8 Sender address rejected' }),
      full: () =>
        (mail.on.refusal = { responseCode: 452, message: '4.3.1 Insufficient system storage' }),
      mend() {
        mail.on.refusal = null
        mailLink.restore()
      },
    },
  }
}

/** A node of each chain at a time: the chains do not depend on each other. */
function nodesOf({ nodes }: HostileWorld): Party[] {
  /** What an odd node answers to everything. */
  const odd = [() => '<html>Pay first</html>', nulled, otherHashes]
  return nodes.map((proxies, at): Party => {
    const set = (fault: NodeFault) => () => {
      for (const proxy of Object.values(proxies)) proxy.setFaults(() => fault)
    }
    const [tron, bsc] = [proxies.tron, proxies.bsc].map(({ url }) => new URL(url).host)
    return {
      name: `node ${at + 1} of each chain`,
      alarms: [`node_\\w+ TRON ${tron}`, `node_\\w+ BSC ${bsc}`],
      silent: set('silence'),
      slow: set('trickle'),
      wrong: set({ answer: odd[at] ?? nulled }),
      full: set('busy'),
      mend: set('none'),
    }
  })
}

function nulled(text: string): string {
  return JSON.stringify({ ...JSON.parse(text), result: null })
}

/** Answers about blocks of another chain. */
function otherHashes(text: string): string {
  return text.replaceAll(/(?<=")(0x)?[0-9a-f]{64}(?=")/g, (hash) =>
    hash.replace(/.$/, (digit) => (digit === '0' ? '1' : '0')),
  )
}

function vitalOf({ link, disk, skew }: HostileWorld): Party[] {
  const clockIsOff = (ms: number) => () => {
    skew.ms = ms
  }
  const isVital = true
  return [
    {
      ...{ name: 'link to the database', isVital, alarms: ['database.down'] },
      silent: () => link.silence(),
      slow: () => link.delay(8_000),
      wrong: () => link.close(),
      full: () => link.close(TOO_MANY_CLIENTS),
      mend: () => link.restore(),
    },
    {
      ...{ name: "database's disk", isVital, alarms: ['database.down'] },
      silent: () => disk.hang(),
      slow: () => disk.hang(),
      wrong: () => disk.fail('58030', 'could not extend file "base/1/2": Input/output error'),
      full: () => disk.fail('53100', 'could not extend file "base/1/2": No space left on device'),
      mend: () => disk.mend(),
    },
    {
      ...{ name: 'clock', isVital, alarms: ['clock_skew worker-1'] },
      // It has stood still, has gone too slowly, is a year ahead, or has begun again at 1970.
      silent: clockIsOff(-10 * MINUTE_MS),
      slow: clockIsOff(-90_000),
      wrong: clockIsOff(YEAR_MS),
      full: clockIsOff(-56 * YEAR_MS),
      mend: clockIsOff(0),
    },
  ]
}

const WORDS = Buffer.from('SFATAL\0VFATAL\0C53300\0Msorry, too many clients already\0\0')
const TOO_MANY_CLIENTS = Buffer.concat([Buffer.from([0x45, 0, 0, 0, WORDS.length + 4]), WORDS])

/**
 * The steps of a holder's life with the service, again and again; each may be repeated after a failure. Somebody new
 * joins, while a former holder claims and is paid.
 */
function createLife({ real, veterans }: HostileWorld) {
  let newcomer: TestUser | undefined
  let payer: Awaited<ReturnType<typeof givenPayer>> | undefined
  let lives = -1
  const ask = async (user: TestUser | undefined, request: Parameters<typeof call>[2]) => {
    if (user === undefined) throw new Error('nobody has registered')
    const { status, body } = await call(real, user, request)
    if (status >= 300) throw new Error(JSON.stringify(body))
    return body
  }
  const veteran = () => veterans[lives % veterans.length]
  const readClaim = async () => (await ask(veteran(), { url: '/user/claim-history' })).claims[0]
  const hasReceived = async (amount: bigint) =>
    (await dctOf(host(), toHex(veteran()?.address ?? Buffer.alloc(20)))) === amount
  const nothing = async () => undefined
  return [
    {
      name: 'joins',
      async begin() {
        newcomer = await real.givenUser()
        await joinOnChain(host(), newcomer)
        lives += 1
      },
      async isDone() {
        return JSON.stringify(await ask(newcomer, { url: '/user/earnings' })).includes('PLAN-360')
      },
    },
    {
      name: 'claims',
      async begin() {
        if ((await readClaim()) !== undefined) return
        const payload = { earning_plan_code: 'PLAN-360', claim_type: 'HALF' }
        await ask(veteran(), { method: 'POST', url: '/user/claim', payload })
      },
      isDone: async () => (await readClaim()) !== undefined,
    },
    { name: 'is paid a half', begin: nothing, isDone: () => hasReceived(300_000n) },
    {
      name: 'pays the fee',
      async begin() {
        payer ??= await givenPayer(host())
        const amount = parseAmount('USDT', (await readClaim()).unpaid_fee_usdt)
        await sendUsdt(host(), payer.privateKey, { to: addressesOf(host()).feeReceiver, amount })
      },
      isDone: async () => (await readClaim()).is_paid,
    },
    { name: 'is paid the rest', begin: nothing, isDone: () => hasReceived(600_000n) },
  ]
}

type Step = ReturnType<typeof createLife>[number]

/** Takes a step until it has led somewhere, whatever fails meanwhile. */
function persist({ begin, isDone }: Step) {
  const state: { isDone: boolean; problem?: unknown } = { isDone: false }
  const take = async () => {
    for (let hasBegun = false; ; await sleep(6_000)) {
      try {
        if (!hasBegun) await begin()
        hasBegun = true
        state.isDone = await isDone()
        if (state.isDone) return
      } catch (error) {
        state.problem = error
      }
    }
  }
  void take()
  return state
}

const isOf = (pattern: string) => (alarm: string) => new RegExp(`^${pattern}`).test(alarm)

const belongsTo =
  (...parties: readonly (Party | undefined)[]) =>
  (alarm: string) =>
    parties.some((party) =>
      [...(party?.alarms ?? []), ...(party?.others ?? [])].some((one) => isOf(one)(alarm)),
    )

const isNamedIn = (alarms: readonly string[], party: Party) =>
  party.alarms.every((one) => alarms.some(isOf(one)))

type Row = { party: Party; fault: (typeof FAULTS)[number]; former: Party | undefined }

/** One party fails in one way, until an alarm has named it, while a holder takes a step. */
async function live(world: HostileWorld, { party, fault, former }: Row, step: Step) {
  const { time } = world
  const where = `${party.name} is ${fault} while a holder ${step.name}`
  const isOver = async () => !(await world.openAlarms()).some(belongsTo(party))
  if (!(await isOver())) time.jump(10 * MINUTE_MS)
  expect
    .soft(await time.until(isOver, 3 * MINUTE_MS), `${where}: its last alarm is over`)
    .toBe(true)
  await world.mark()
  await party[fault]()
  if (party.isVital !== true) await world.tellAll()
  const taking = persist(step)
  const isNamed = async () =>
    isNamedIn([...(await world.openAlarms()), ...(await world.raisedSince())], party)
  expect.soft(await time.until(isNamed, MINUTE_MS), `${where}: it is named`).toBe(true)
  const isDone = () => taking.isDone
  if (party.isVital !== true)
    expect.soft(await time.until(isDone, 3 * MINUTE_MS), `${where}: meanwhile`).toBe(true)
  await party.mend()
  const hasGoneOn = await time.until(isDone, 5 * MINUTE_MS)
  expect.soft(hasGoneOn, `${where}: afterwards ${taking.problem}`).toBe(true)
  const others = (await world.raisedSince()).filter((one) => !belongsTo(party, former)(one))
  expect.soft(others, `${where}: nobody else is named`).toEqual([])
}

test('a holder joins, claims and is paid while every outside party is silent, slow, wrong and full in turn: each is named within a minute and none besides, every alarm ends by itself, and nothing is lost', async () => {
  const world = await startHostileWorld(host())
  const { real, time, database } = world
  const life = createLife(world)
  const parties = partiesOf(world)
  real.runner.start()
  const rows = FAULTS.flatMap((fault) =>
    parties.map((party, at) => ({ party, fault, former: parties.at(at - 1) })),
  )
  for (const [at, row] of rows.entries()) {
    const step = life[at % life.length]
    if (step !== undefined) await live(world, row, step)
  }
  const pending = async () =>
    await everything(database.db)
      .selectFrom('outbox_delivery')
      .select(['channel', 'state', 'last_error'])
      .where('state', '<>', 'sent')
      .execute()
  const isOver = async () =>
    (await world.openAlarms()).length === 0 && (await pending()).length === 0
  for (let jumps = 0; jumps < 3 && !(await isOver()); jumps += 1) {
    time.jump(11 * MINUTE_MS)
    await time.until(isOver, MINUTE_MS)
  }
  // A jump of time looks like a step that takes too long.
  const left = (await world.openAlarms()).filter((one) => !one.startsWith('loop.stuck'))
  expect([left, await pending()]).toEqual([[], []])
  const told = (type: string) =>
    new Set(
      world
        .received()
        .filter((one) => one.type === type && !/^(plan_adopted|loop.stuck)$/.test(one.data.kind))
        .map(({ data }) => `${data.kind} ${data.subject}`),
    )
  expect(told('alarm.resolved')).toEqual(told('alarm.raised'))
  for (const listener of world.listeners) {
    const { body } = await call(real, listener, { url: '/user/notices' })
    expect([body.email.state, body.telegram.state, body.push[0].state]).toEqual([
      ...['confirmed', 'linked', 'subscribed'],
    ])
  }
}, 900_000)
