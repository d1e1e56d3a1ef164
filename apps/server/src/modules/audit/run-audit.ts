import { setTimeout as sleep } from 'node:timers/promises'
import { NodeUnavailable } from '@dct/chain-clients'
import { sql } from 'kysely'
import { clearAlarm, raiseAlarm } from '../../platform/alarms/alarms.ts'
import { type Clock, realClock } from '../../platform/clock.ts'
import { type Db, type DbOrTx, inTransaction, type Tx } from '../../platform/database/db.ts'
import { inSnapshot } from '../../platform/database/snapshots.ts'
import { bytesOf, chainFacts, ownAddresses } from '../chain/index.ts'
import { haltPayouts } from '../payouts/index.ts'
import { listPlans } from '../plans/index.ts'
import { own } from './audit.tables.ts'
import type { AuditCheck, CheckOutcome } from './audit-check.ts'
import { bookDonations } from './book-donations.ts'
import { eventChecks } from './checks/chain-events.ts'
import { claimChecks } from './checks/claims.ts'
import {
  type ContractState,
  type ContractsDeps,
  contractChecks,
  readContracts,
} from './checks/contracts.ts'
import { earningChecks } from './checks/earnings.ts'
import { ledgerChecks } from './checks/ledger.ts'
import { payoutChecks } from './checks/payouts.ts'
import { planChecks } from './checks/plans.ts'
import { referralChecks } from './checks/referrals.ts'
import { readHoldings } from './checks/wallets.ts'
import { bookOpenings } from './wallet-openings.ts'

export type AuditDeps = ContractsDeps & { db: Db; clock: Clock }
export type AuditReport = {
  isFull: boolean
  startedAt: Date
  finishedAt: Date
  outcomes: CheckOutcome[]
  /** The number of all differences. */
  differences: number
}

const TRIES_ON_CHAIN = 6
const PAUSE_BETWEEN_TRIES_MS = 500
/** In this time both watchers poll their chain at least once, even if nothing happens on it. */
const WATCHERS_WITHIN_MS = 30_000

/**
 * Compares the books with themselves, with the chain events and with the contracts. A difference raises an alarm and
 * holds only the payouts that it concerns. Once it is gone, the alarm is cleared; payouts that were held wait for an
 * admin. Donations are booked as surplus. A restored database resumes payouts after a full audit that compared
 * everything and found no difference.
 */
export async function runAudit(deps: AuditDeps, { full }: { full: boolean }): Promise<AuditReport> {
  const startedAt = realClock.now()
  const onChain = await auditChains(deps)
  const onBooks = await inLongSnapshot(deps.db, (tx) => runChecks(tx, bookChecks(deps), full))
  const outcomes = [...onBooks, ...onChain.outcomes]
  const differences = outcomes.reduce((sum, outcome) => sum + outcome.differences.length, 0)
  const report = { isFull: full, startedAt, finishedAt: realClock.now(), outcomes, differences }
  await inTransaction(deps.db, async (tx) => {
    const at = deps.clock.now()
    await writeRun(tx, report)
    for (const outcome of outcomes) await actOn(tx, outcome, at)
    if (onChain.contracts !== undefined) await bookDonations(tx, onChain.contracts, at)
  })
  return report
}

function bookChecks({ tron }: AuditDeps): readonly AuditCheck[] {
  return [
    ...ledgerChecks,
    ...planChecks,
    ...earningChecks,
    ...claimChecks,
    ...payoutChecks,
    ...referralChecks,
    ...eventChecks({ staking: bytesOf(tron.staking), rewardPool: bytesOf(tron.rewardPool) }),
  ]
}

/** Reads the contracts and then the ledger, and tries again if something happened in between. */
async function auditChains(
  deps: AuditDeps,
): Promise<{ outcomes: CheckOutcome[]; contracts?: ContractState }> {
  const codes = (await listPlans(deps.db)).map(({ code }) => code)
  for (let tries = 1; ; tries += 1) {
    try {
      const contracts = await readContracts(deps, codes)
      const wallets = await readHoldings(deps, await ownAddresses(deps.db))
      const readings = { TRON: contracts.at.number, BSC: wallets.at.number }
      const isReached = await untilReached(deps.db, readings)
      await bookOpenings(deps.db, { wallets, usdt: deps.bsc.usdt, at: deps.clock.now() })
      const checks = contractChecks(deps, { contracts, wallets })
      const outcomes = await inLongSnapshot(deps.db, (tx) => runChecks(tx, checks, true))
      const isComplete = outcomes.every(({ skipped }) => skipped === undefined)
      if (isComplete || !isReached || tries === TRIES_ON_CHAIN) return { outcomes, contracts }
    } catch (error) {
      if (!(error instanceof NodeUnavailable)) throw error
      const skipped = `no node answered: ${error.message}` as const
      return { outcomes: [{ name: 'contracts', compared: 0, differences: [], skipped }] }
    }
  }
}

/**
 * Waits until the watchers have reached the blocks of the readings. Later readings would not help: each would be ahead of
 * the watcher that has just polled. @returns false if one of them did not
 */
async function untilReached(
  db: Db,
  wanted: Readonly<Record<'TRON' | 'BSC', bigint>>,
): Promise<boolean> {
  const end = performance.now() + WATCHERS_WITHIN_MS
  while (performance.now() < end) {
    const read = await chainFacts(db)
    const isReached = read.every(
      ({ chain, blockNumber, isHalted }) => isHalted || blockNumber >= wanted[chain],
    )
    if (isReached) return true
    await sleep(PAUSE_BETWEEN_TRIES_MS)
  }
  return false
}

/** Reading whole tables takes longer than the timeout for pages. */
function inLongSnapshot<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  return inSnapshot(db, async (tx) => {
    await sql`set local statement_timeout = 0`.execute(tx)
    return work(tx)
  })
}

async function runChecks(
  db: DbOrTx,
  checks: readonly AuditCheck[],
  isFull: boolean,
): Promise<CheckOutcome[]> {
  const outcomes: CheckOutcome[] = []
  for (const check of checks) {
    if (check.isFullOnly === true && !isFull) continue
    outcomes.push({ name: check.name, ...(await check.run(db, { isFull })) })
  }
  return outcomes
}

async function writeRun(tx: Tx, report: AuditReport): Promise<void> {
  await own(tx)
    .insertInto('audit_run')
    .values({
      is_full: report.isFull,
      started_at: report.startedAt,
      finished_at: report.finishedAt,
      compared: BigInt(report.outcomes.reduce((sum, { compared }) => sum + compared, 0)),
      differences: report.differences,
      outcomes: sql`${JSON.stringify(report.outcomes)}::jsonb`,
    })
    .execute()
}

const ALARM = 'audit'

async function actOn(tx: Tx, outcome: CheckOutcome, at: Date): Promise<void> {
  if (outcome.skipped !== undefined) return
  const { name, differences } = outcome
  const halts = differences.flatMap(({ holds: scope, subject }) =>
    scope === undefined ? [] : [{ scope, reason: `Audit, ${name}: ${subject}` }],
  )
  await haltPayouts(tx, { source: `audit: ${name}`, halts, at })
  const [first] = differences
  if (first === undefined) {
    await clearAlarm(tx, { kind: ALARM, subject: name, at })
    return
  }
  const others = differences.length - 1
  const more = others === 0 ? '' : ` and ${others} more`
  const message = `${first.subject}: ${first.found} where ${first.expected} was expected${more}`
  await raiseAlarm(tx, { kind: ALARM, subject: name, message, at })
}
