import { setTimeout as sleep } from 'node:timers/promises'
import { NodeUnavailable } from '@dct/chain-clients'
import { sql } from 'kysely'
import { clearAlarm, raiseAlarm } from '../../platform/alarms.ts'
import { type Clock, realClock } from '../../platform/clock.ts'
import { type Db, type DbOrTx, inTransaction, type Tx } from '../../platform/db.ts'
import { bytesOf } from '../chain/index.ts'
import { haltPayouts } from '../payouts/index.ts'
import { listPlans } from '../plans/index.ts'
import type { AuditCheck, CheckOutcome } from './audit-check.ts'
import './audit.tables.ts'
import { bookDonations } from './book-donations.ts'
import { eventChecks } from './checks/chain-events.ts'
import { claimChecks } from './checks/claims.ts'
import {
  type ContractState,
  type ContractsDeps,
  contractChecks,
  readContracts,
  readWallets,
} from './checks/contracts.ts'
import { earningChecks } from './checks/earnings.ts'
import { ledgerChecks } from './checks/ledger.ts'
import { payoutChecks } from './checks/payouts.ts'
import { planChecks } from './checks/plans.ts'
import { referralChecks } from './checks/referrals.ts'

export type AuditDeps = ContractsDeps & { db: Db; clock: Clock }
export type AuditReport = {
  isFull: boolean
  startedAt: Date
  finishedAt: Date
  outcomes: CheckOutcome[]
  /** How many differences there are in all. */
  differences: number
}

const TRIES_ON_CHAIN = 6
const PAUSE_BETWEEN_TRIES_MS = 500

/**
 * Holds the books against themselves, against the chains' events and against the contracts. A difference alarms the
 * admins and halts the payouts that it speaks of, nothing else, until it is gone; then its alarm is cleared, and what
 * was held waits for an admin. Donations are booked as surplus.
 */
export async function runAudit(deps: AuditDeps, { full }: { full: boolean }): Promise<AuditReport> {
  const startedAt = realClock.now()
  const onChain = await auditChains(deps)
  const onBooks = await inSnapshot(deps.db, (tx) => runChecks(tx, bookChecks(deps), full))
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

function bookChecks({ tron, bsc }: AuditDeps): readonly AuditCheck[] {
  return [
    ...ledgerChecks,
    ...planChecks,
    ...earningChecks,
    ...claimChecks({ payoutWallet: bytesOf(bsc.payoutWallet) }),
    ...payoutChecks,
    ...referralChecks,
    ...eventChecks({ staking: bytesOf(tron.staking), rewardPool: bytesOf(tron.rewardPool) }),
  ]
}

/** The contracts and the ledger are looked at one after the other; where something happened between, again. */
async function auditChains(
  deps: AuditDeps,
): Promise<{ outcomes: CheckOutcome[]; contracts?: ContractState }> {
  const codes = (await listPlans(deps.db)).map(({ code }) => code)
  for (let tries = 1; ; tries += 1) {
    try {
      const contracts = await readContracts(deps, codes)
      const wallets = await readWallets(deps)
      await letWatchersFollow(deps.db, { TRON: contracts.at.number, BSC: wallets.at.number })
      const checks = contractChecks(deps, { contracts, wallets })
      const outcomes = await inSnapshot(deps.db, (tx) => runChecks(tx, checks, true))
      const isLevel = outcomes.every(({ skipped }) => skipped === undefined)
      if (isLevel || tries === TRIES_ON_CHAIN) return { outcomes, contracts }
    } catch (error) {
      if (!(error instanceof NodeUnavailable)) throw error
      const skipped = `no node answered: ${error.message}`
      return { outcomes: [{ name: 'contracts', compared: 0, differences: [], skipped }] }
    }
  }
}

/** Waits a moment for the watchers to reach the blocks that the contracts were asked at. */
async function letWatchersFollow(
  db: Db,
  wanted: Readonly<Record<'TRON' | 'BSC', bigint>>,
): Promise<void> {
  for (let tries = 0; tries < TRIES_ON_CHAIN; tries += 1) {
    const cursors = await db.selectFrom('chain_cursor').select(['chain', 'block_number']).execute()
    if (cursors.every(({ chain, block_number: number }) => number >= wanted[chain])) return
    await sleep(PAUSE_BETWEEN_TRIES_MS)
  }
}

function inSnapshot<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (tx) => {
      // Whole tables are read, which takes longer than any page may.
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
  await tx
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
  if (first === undefined) return clearAlarm(tx, { kind: ALARM, subject: name, at })
  const others = differences.length - 1
  const more = others === 0 ? '' : ` and ${others} more`
  const message = `${first.subject}: ${first.found} where ${first.expected} was expected${more}`
  await raiseAlarm(tx, { kind: ALARM, subject: name, message, at })
}
