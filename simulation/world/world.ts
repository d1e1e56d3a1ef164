/** Everything that exists in one seed: time, chains, database, processes of the service. */
import type { Hex } from 'viem'
import type { SimulatedChain } from '../chains/chain.ts'
import { askThrough, type Network } from '../chains/network.ts'
import { brokenReply, type Fault, type NetworkReply, sound } from '../chains/node-faults.ts'
import { type Chains, hostsOf, keyOf, PLACES, type TwoChains, withNodes } from './chains.ts'
import type { Databases } from './database.ts'
import type { Surroundings } from './determinism.ts'
import { Inboxes, PUSH_SERVICE } from './inboxes.ts'
import { answerOfKeyService, KEY_SERVICE } from './key-service.ts'
import { setMailServer } from './mail-server.ts'
import { currentProcess, Killed, SimulatedProcess, setDatabaseTrouble } from './processes.ts'
import type { Random } from './random.ts'
import { type Installation, OPERATORS, type Service } from './service.ts'
import { type Wallet, walletOf } from './wallet.ts'

export const DAY_MS = 86_400_000
const BLOCK_MS = 3_000
const NOTED_EVERY_MS = 61_000
const NOTES_AT_MOST_EVERY_MS = 60_000
const REPORTED_EVERY_MS = 6 * 3_600_000
const LONGEST_PAUSE_MS = 3 * 60_000
const UTC_PLUS_7_MS = 7 * 3_600_000
/** A loop that still has work after so many steps gets its next turn later. */
const STEPS_A_TURN = 30
/** A step runs one day of one plan; a day that waited for the next turn would be run a day late, which excuses it. */
const DAYS_A_TURN = 1_000
const mostStepsOf = ({ name }: Loop) => (name === 'distributor' ? DAYS_A_TURN : STEPS_A_TURN)

const MOST_ROUNDS = 12

export type StartService = (
  installation: Installation,
  parts: { hasApi: boolean; hasLoops: boolean; aheadMs: number },
) => Promise<Service>

export type WorldOptions = {
  databases: Databases
  database: string
  surroundings: Surroundings
  random: Random
  chains: TwoChains
  nodes: { tron: number; bsc: number }
  startService: StartService
  /** How far business time is ahead at the beginning. */
  aheadMs: number
  settings?: Readonly<Record<string, string>>
  /** Whether a service outside holds the keys. */
  hasKeyService?: boolean
}

type Loop = Service['loops'][number]
type Running = { process: SimulatedProcess; service: Service }

export class World {
  readonly options: WorldOptions
  readonly chains: Chains
  readonly network: Network
  readonly admin: Wallet = walletOf('admin')
  readonly secondAdmin: Wallet = walletOf('second admin')
  /** Business time is this far ahead of real time. */
  aheadMs: number
  /** Keys and addresses that the operator of the service has set now. */
  installation: Installation
  /** What is wrong with the service that holds the keys, where one does. */
  keyServiceFault: Fault | undefined
  /** Every address that pays referrers, or is paid fees, or did so once. */
  readonly payers = new Set<Hex>([PLACES.payout, PLACES.vault])
  readonly receivers = new Set<Hex>([PLACES.receiver])
  readonly #running = new Map<string, Running>()
  #troubled = false
  /** When loops that only report and measure were last due. */
  #reportedAt = 0
  /** Alarms that arrived where operators are told of them, as often as they arrived. */
  readonly toldToOperators: { kind: string; subject: string }[] = []
  /** Where holders' messages arrive. */
  readonly inboxes = new Inboxes()
  /** When the mail server began to fail. */
  mailFailsSince: number | undefined
  /** Whether a process was killed, or could not write: what it had sent may be sent again. */
  mayRepeat = false
  /** What loops last failed with, by name. */
  readonly failures = new Map<string, string>()
  /** When the api last noted that holders could claim; after a longer pause it cannot know whether they could. */
  #notedMs = 0
  /** Whether such a pause came about only because loops take turns here. */
  hasPause = false
  /** Called before business time moves to a later day. */
  onDayEnd: () => Promise<void> = async () => undefined

  constructor(options: WorldOptions) {
    this.options = options
    this.aheadMs = options.aheadMs
    const { surroundings, nodes } = options
    this.chains = withNodes(options.chains, nodes)
    this.network = {
      nodes: hostsOf(this.chains),
      others: (url, body) => this.#receive(url, body),
      onRequest: () => void currentProcess()?.tick(),
    }
    surroundings.ask = askThrough(this.network)
    setMailServer(this.inboxes)
    this.installation = {
      databaseUrl: options.databases.urlOf(options.database),
      nodes: {
        tron: this.chains.tronNodes.map(({ mood }) => mood.name),
        bsc: this.chains.bscNodes.map(({ mood }) => mood.name),
      },
      places: PLACES,
      keys: { operator: keyOf('operator'), payout: keyOf('payout wallet') },
      admins: [this.admin.address, this.secondAdmin.address],
      settings: options.settings ?? {},
      hasKeyService: options.hasKeyService ?? false,
    }
  }

  /** Whatever is no node: the key service signs, the operators' receiver of alarms notes what it is told. */
  #receive(url: URL, body: string): NetworkReply {
    const { host } = url
    if (host === PUSH_SERVICE) return this.inboxes.receivePush(url.href, body)
    if (host === KEY_SERVICE) {
      const answer = answerOfKeyService(url, body)
      return brokenReply(this.keyServiceFault, answer) ?? sound(answer)
    }
    if (host === OPERATORS && body !== '') {
      const { type, data } = JSON.parse(body)
      if (type === 'alarm.raised') this.toldToOperators.push(data)
    }
    return sound('{}')
  }

  /** The service's settings change; its processes are told when they start. */
  install(change: Partial<Installation>): void {
    this.installation = { ...this.installation, ...change }
    this.payers.add(this.installation.places.payout)
    this.receivers.add(this.installation.places.receiver)
  }

  /** Business time in milliseconds since 1970. */
  get now(): number {
    return this.options.surroundings.nowMs + this.aheadMs
  }

  get api(): Running | undefined {
    return this.#running.get('api')
  }

  get processes(): readonly string[] {
    return [...this.#running.keys()]
  }

  process(name: string): SimulatedProcess | undefined {
    return this.#running.get(name)?.process
  }

  /** Starts a process. @returns why it could not start; undefined if it did */
  async start(name: 'api' | 'worker' | 'worker 2'): Promise<string | undefined> {
    if (this.#running.has(name)) return undefined
    const process = new SimulatedProcess(name)
    const parts = { hasApi: name === 'api', hasLoops: name !== 'api', aheadMs: this.aheadMs }
    try {
      const service = await process.run(() => this.options.startService(this.installation, parts))
      this.#running.set(name, { process, service })
      if (name === 'api') this.#notedMs = this.options.surroundings.nowMs
      return undefined
    } catch (error) {
      process.die()
      return error instanceof Error ? error.message : String(error)
    }
  }

  async stop(name: string): Promise<void> {
    const found = this.#running.get(name)
    if (found === undefined) return
    this.#running.delete(name)
    try {
      await found.service.close()
    } catch {
      // A killed process leaves nothing to close.
    }
    found.process.die()
  }

  async stopAll(): Promise<void> {
    for (const name of this.processes) await this.stop(name)
  }

  setDatabaseTrouble(trouble: 'silent' | 'full' | undefined): void {
    this.#troubled = trouble !== undefined
    this.mayRepeat ||= this.#troubled
    setDatabaseTrouble(trouble)
  }

  get isDatabaseTroubled(): boolean {
    return this.#troubled
  }

  /** Both chains make some blocks. @returns whether any transaction is in them, or became final by them */
  mine(blocks = 1): boolean {
    const { tron, bsc } = this.chains
    for (let made = 0; made < blocks; made += 1) {
      this.options.surroundings.nowMs += BLOCK_MS
      tron.mine(this.now)
      bsc.mine(this.now)
    }
    return [tron, bsc].some((chain: SimulatedChain<unknown>) =>
      chain.blocks
        .slice(-blocks - chain.rules.finality)
        .some(({ included }) => included.length > 0),
    )
  }

  /**
   * Steps the loops of all processes, or those with this name, until they are idle. Failures are noted.
   * @param idle loops that have found nothing since anything changed: they are left out, and whatever changes empties it
   */
  async turn(only?: (loop: string) => boolean, idle = new Set<Loop>()): Promise<boolean> {
    let hadWork = false
    if (only === undefined) this.#reportedAt = this.now
    for (const [name, { process, service }] of [...this.#running]) {
      for (const loop of service.loops) {
        if (idle.has(loop) || (only !== undefined && !only(loop.name))) continue
        if (process.isDead) break
        if (loop.name === 'availability') this.#note()
        const outcome = await this.#workOff(process, loop)
        if (outcome === 'worked') {
          hadWork = true
          idle.clear()
        } else if (outcome === 'idle') idle.add(loop)
      }
      if (process.isDead) {
        this.mayRepeat = true
        await this.stop(name)
      }
    }
    return hadWork
  }

  #note(): void {
    const { nowMs } = this.options.surroundings
    if (nowMs - this.#notedMs > LONGEST_PAUSE_MS) this.hasPause = true
    // The service notes nothing either when its last note is that young.
    if (nowMs - this.#notedMs >= NOTES_AT_MOST_EVERY_MS) this.#notedMs = nowMs
  }

  async #workOff(process: SimulatedProcess, loop: Loop): Promise<'worked' | 'idle' | 'failed'> {
    for (let steps = 0; steps < mostStepsOf(loop); steps += 1) {
      try {
        const isIdle = await process.run(() => loop.step())
        this.failures.delete(loop.name)
        if (isIdle) return steps > 0 ? 'worked' : 'idle'
      } catch (error) {
        if (!(error instanceof Killed)) this.failures.set(loop.name, wordsOf(error))
        return 'failed'
      }
    }
    return 'worked'
  }

  /** The loops that are due: all of them, or all but those that have reported and measured some hours ago. */
  due(): ((loop: string) => boolean) | undefined {
    return this.now - this.#reportedAt < REPORTED_EVERY_MS ? isOften : undefined
  }

  /** Blocks are made and loops are stepped until nothing more happens, or for a number of rounds. */
  async settle({ rounds = MOST_ROUNDS, hasAllLoops = true } = {}): Promise<void> {
    const idle = new Set<Loop>()
    for (let round = 0; round < rounds; round += 1) {
      const hasMined = this.mine(this.chains.tron.rules.finality + 1)
      if (hasMined) idle.clear()
      const due = round === 0 && hasAllLoops ? this.due() : isOften
      const hadWork = await this.turn(due, idle)
      const isWaiting = this.chains.tron.waiting.length + this.chains.bsc.waiting.length > 0
      if (!hadWork && !isWaiting) return
    }
  }

  /**
   * Business time moves on while everything runs; a minute of real time passes, as processes note once a minute that
   * they are there.
   */
  async moveTo(businessMs: number): Promise<void> {
    if (dayOf(businessMs) > this.day) await this.onDayEnd()
    // Their last note is no older than a minute when it begins.
    await this.turn((loop) => loop === 'availability')
    this.options.surroundings.nowMs += NOTED_EVERY_MS
    const aheadMs = Math.max(this.aheadMs, businessMs - this.options.surroundings.nowMs)
    this.aheadMs = aheadMs
    let isWritten = false
    for (const { process, service } of this.#running.values()) {
      await process
        .run(() => service.setAhead(aheadMs, { isWritten }))
        .then(() => {
          isWritten = true
        })
        .catch((error: unknown) => this.failures.set('clock', wordsOf(error)))
    }
  }

  get day(): number {
    return dayOf(this.now)
  }

  /** The next business days begin, one after the other, and each is run. */
  async passDays(days: number, eachDay: () => void = () => undefined): Promise<void> {
    for (let passed = 0; passed < days; passed += 1) {
      const nextDay = (this.day + 1) * DAY_MS - UTC_PLUS_7_MS
      await this.moveTo(nextDay)
      const hasMined = this.mine(this.chains.tron.rules.finality + 1)
      // Of days on which a chain has nothing to tell, one is enough.
      const hasWatchers = hasMined || passed === 0 || passed === days - 1 || this.failures.size > 0
      await this.turn((loop) => DAILY.includes(loop) || (hasWatchers && loop.startsWith('watcher')))
      eachDay()
    }
  }

  /** Real time passes, and with it business time, while no loop is stepped: an outage. */
  sleep(ms: number): void {
    this.options.surroundings.nowMs += ms
  }
}

const dayOf = (businessMs: number) => Math.floor((businessMs + UTC_PLUS_7_MS) / DAY_MS)

/** Whether a loop does more than to report, remind or measure, for which once in some hours is enough. */
export function isOften(loop: string): boolean {
  return !SELDOM.includes(loop)
}

const SELDOM = [
  ...[
    'audit',
    'money',
    'transaction-fees',
    'downlines',
    'earning messages',
    'node alarms',
    'reservations',
  ],
  ...[
    'completeness TRON',
    'completeness BSC',
    'manual payments',
    'holder messages',
    'outbox',
    'workers',
    'owed-list',
  ],
]

/** The loops that a day depends on, beside those that read the chains. */
const DAILY = ['distributor', 'availability']

function wordsOf(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}`.slice(0, 200) : String(error)
}
