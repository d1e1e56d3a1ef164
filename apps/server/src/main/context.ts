import { hostname } from 'node:os'
import { sql } from 'kysely'
import type { Hex } from 'viem'
import { createStepUpGuard, type StepUpGuard } from '../modules/auth/index.ts'
import { type OwnAddresses, ownAddresses, recordOwnAddresses } from '../modules/chain/index.ts'
import { createMailbox, type Mailbox } from '../modules/devnet/index.ts'
import type { PriceAge } from '../modules/pricing/index.ts'
import { type Clock, OffsetClock, realClock } from '../platform/clock.ts'
import { readClockOffset } from '../platform/database/clock-offset.ts'
import { type Db, openDatabase } from '../platform/database/db.ts'
import { migrate } from '../platform/database/migrate.ts'
import { ensurePins } from '../platform/database/pins.ts'
import { SHARED_CONNECTIONS } from '../platform/database/shared-connections.ts'
import { createLogger, type Logger } from '../platform/logger.ts'
import { Replica } from '../platform/replica/replica.ts'
import { createTimeGuard, type TimeGuard, UNGUARDED } from '../platform/time-guard.ts'
import { type Chains, createChains, type OwnOnBsc } from './chains/chains.ts'
import {
  DATABASE_CHECKS,
  type Installation,
  pinsOf,
  requireAll,
  START_CHECKS,
} from './check-installation.ts'
import type { Config } from './config.ts'
import { StartError } from './start-error.ts'

const HOUR_MS = 3_600_000
/** Connections per process: pages read several tables at once. */
const CONNECTIONS = 20
/** The most that a process opens: an api has others that all requests share, and one for signals. */
export const MOST_CONNECTIONS = CONNECTIONS + SHARED_CONNECTIONS + 1
const STATEMENT_TIMEOUT_MS = 120_000

/** The shared objects that every process is built from. */
export type Context = PriceAge & {
  config: Config
  log: Logger
  db: Db
  /** Undefined if the settings name none. */
  replica: Replica | undefined
  /** Business time. */
  clock: Clock
  /** The same clock if it can be moved, which is only in devnet. */
  movableClock: OffsetClock | undefined
  chains: Chains
  dctDecimals: number
  /** 20 bytes as hex: every address ever used, including the current ones. */
  own: OwnAddresses
  /** 20 bytes as hex: the reward contract's operator. */
  operator: Hex
  /** 20 bytes as hex: the vault's operator. */
  payoutOperator: Hex
  requireStepUp: StepUpGuard
  /** Receives holders' e-mails in a devnet without a mail server. */
  mailbox: Mailbox | undefined
  timeGuard: TimeGuard
  close(): Promise<void>
}

/**
 * Opens the database, migrates its schema and checks that it belongs to these chains.
 * @throws StartError, PinMismatch, SchemaMismatch, or an outage of the database or a node: the process cannot start
 */
export async function createContext(config: Config): Promise<Context> {
  const log = createLogger(config.logLevel)
  const limits = { maxConnections: CONNECTIONS, statementTimeoutMs: STATEMENT_TIMEOUT_MS }
  const db = openDatabase({ url: config.databaseUrl, ...limits })
  try {
    await requireDatabase(db)
    const migrated = await migrate(db)
    if (migrated.length > 0) log.info({ migrated }, 'schemaBroughtForward')
    const chains = createChains(config)
    const found = await requireAll(START_CHECKS, { chains, config })
    const { dctDecimals, operator, payoutOperator } = found as Installation
    await ensurePins(db, pinsOf(config, dctDecimals))
    await requireAll(DATABASE_CHECKS, { db, chains, config })
    const { replicaUrl: url } = config
    const replica = url === undefined ? undefined : new Replica({ url, log, realClock, ...limits })
    const movableClock =
      config.devnet === undefined ? undefined : new OffsetClock(await readClockOffset(db))
    return {
      config,
      log,
      db,
      replica,
      clock: movableClock ?? realClock,
      movableClock,
      chains,
      dctDecimals,
      own: await recordOwn(db, { operator, payoutOperator, ...chains.bsc }),
      operator,
      payoutOperator,
      priceMaxAgeMs: config.money.priceMaxAgeHours * HOUR_MS,
      mailbox: needsMailbox(config) ? createMailbox(realClock) : undefined,
      timeGuard: await openTimeGuard(config, db, chains),
      requireStepUp: createStepUpGuard({ db, realClock, isRequired: config.isStepUpRequired }),
      async close() {
        await replica?.close()
        await db.destroy()
      },
    }
  } catch (error) {
    await db.destroy()
    throw error
  }
}

/** @throws StartError if the database does not answer */
export async function requireDatabase(db: Db): Promise<void> {
  try {
    await sql`select 1`.execute(db)
  } catch (error) {
    throw new StartError(
      `DATABASE_URL is not usable: the database does not answer: ${connectionFailure(error)}.`,
    )
  }
}

/** Why the database could not be asked, in its words or those of the network. */
export function connectionFailure(error: unknown): string {
  // Of several addresses, each has an error of its own.
  const [cause = error] = error instanceof AggregateError ? error.errors : []
  if (cause instanceof Error) return cause.message
  throw error
}

/** Compares the clocks once before anything starts. Processes of devnet need no guard: time travel moves their clock. */
async function openTimeGuard({ devnet }: Config, db: Db, chains: Chains): Promise<TimeGuard> {
  if (devnet !== undefined) return UNGUARDED
  const guard = createTimeGuard({
    ...{ db, clock: realClock, realClock, host: hostname(), monotonic: () => performance.now() },
    readBlockTime: async () => (await chains.tron.reader.finalHead()).time,
  })
  await guard.compare()
  return guard
}

function needsMailbox({ devnet, channels }: Config): boolean {
  return devnet !== undefined && channels.smtpUrl === undefined
}

async function recordOwn(
  db: Db,
  now: OwnOnBsc & { operator: Hex; payoutOperator: Hex },
): Promise<OwnAddresses> {
  const used = [
    { role: 'operator', address: now.operator },
    { role: 'payout_wallet', address: now.vault },
    { role: 'payout_operator', address: now.payoutOperator },
    ...[...now.formerReceivers, now.receiver].map(
      (address) => ({ role: 'fee_receiver', address }) as const,
    ),
  ] as const
  await recordOwnAddresses(db, used, realClock.now())
  return ownAddresses(db)
}
