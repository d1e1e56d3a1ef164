import type { ServerResponse } from 'node:http'
import type { Fault as NodeFault } from './faulty-proxy.ts'
import type { HostileWorld } from './hostile-world.ts'
import { trickle } from './receivers.ts'

const MINUTE_MS = 60_000
const YEAR_MS = 365 * 24 * 60 * MINUTE_MS

export const FAULTS = ['silent', 'slow', 'wrong', 'full'] as const
export type PartyFault = (typeof FAULTS)[number]

/** An outside party, and how a test makes it fail. */
export type Party = Record<PartyFault, () => unknown> & {
  name: string
  /** Nothing can be done without it. */
  isVital?: boolean
  mend(): unknown
  /** Patterns of the alarms that name it, with kind and subject: each of the first, and perhaps some of the others. */
  alarms: readonly string[]
  others?: readonly string[]
}

const FAILING = 'messages.failing'
const BOT = '{"ok":true,"result":{"username":"dct_bot"}}'

/**
 * The receivers fail two at a time, because the others have to hear of it. Where backups are stored is no party: they are
 * made by PostgreSQL's own tools, and their age is an alarm of its own (platform/database/backups.test.ts).
 */
export function partiesOf(world: HostileWorld): Party[] {
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
