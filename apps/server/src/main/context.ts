import type { Hex } from 'viem'
import { createStepUpGuard, type StepUpGuard } from '../modules/auth/index.ts'
import { bytesOf, hexOf } from '../modules/chain/index.ts'
import { feeReceivers } from '../modules/claims/index.ts'
import { readClockOffset } from '../modules/devnet/index.ts'
import type { PriceAge } from '../modules/pricing/index.ts'
import { type Clock, OffsetClock, realClock } from '../platform/clock.ts'
import { type Db, openDatabase } from '../platform/db.ts'
import { createLogger, type Logger } from '../platform/logger.ts'
import { migrate } from '../platform/migrate.ts'
import { holdPins } from '../platform/pins.ts'
import { type Chains, createChains, readDctDecimals, readOperator } from './chains.ts'
import type { Config } from './config.ts'

const HOUR_MS = 3_600_000
/** Asks of one connection at a time are few: pages read several tables at once. */
const CONNECTIONS = 20
const STATEMENT_TIMEOUT_MS = 120_000

/** What every process is built from. */
export type Context = PriceAge & {
  config: Config
  log: Logger
  db: Db
  /** Business time. */
  clock: Clock
  /** The same clock where it can be moved: devnet only. */
  movableClock: OffsetClock | undefined
  chains: Chains
  dctDecimals: number
  /** 20 bytes as hex: where fees are paid to, the configured address first, then those of fees that are still open. */
  feeReceivers: readonly Hex[]
  /** 20 bytes as hex: the reward contract's operator. */
  operator: Hex
  requireStepUp: StepUpGuard
  close(): Promise<void>
}

/**
 * Opens the database, brings its schema forward and checks that it belongs to these chains.
 * @throws PinMismatch, or an outage of the database or a node: the process cannot start
 */
export async function createContext(config: Config): Promise<Context> {
  const log = createLogger(config.logLevel)
  const db = openDatabase({
    url: config.databaseUrl,
    maxConnections: CONNECTIONS,
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
  })
  try {
    const migrated = await migrate(db)
    if (migrated.length > 0) log.info({ migrated }, 'schemaBroughtForward')
    const chains = createChains(config)
    const [dctDecimals, operator] = await Promise.all([
      readDctDecimals(chains),
      readOperator(chains),
    ])
    await holdPins(db, {
      'Tron chain': `${config.tron.chainId}`,
      token: config.tron.token,
      'staking contract': config.tron.staking,
      'reward contract': config.tron.rewardPool,
      'decimals of the token': `${dctDecimals}`,
      'BSC chain': `${config.bsc.chainId}`,
      'USDT contract': config.bsc.usdt.toLowerCase(),
    })
    const receivers = await feeReceivers(db, bytesOf(chains.bsc.receiver))
    const movableClock =
      config.devnet === undefined ? undefined : new OffsetClock(await readClockOffset(db))
    return {
      config,
      log,
      db,
      clock: movableClock ?? realClock,
      movableClock,
      chains,
      dctDecimals,
      feeReceivers: receivers.map(hexOf),
      operator,
      priceMaxAgeMs: config.money.priceMaxAgeHours * HOUR_MS,
      requireStepUp: createStepUpGuard({ db, realClock, isRequired: config.isStepUpRequired }),
      close: () => db.destroy(),
    }
  } catch (error) {
    await db.destroy()
    throw error
  }
}
