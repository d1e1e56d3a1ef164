import { setTimeout as pause } from 'node:timers/promises'
import type { Db } from '../../platform/database/db.ts'
import { Refusal } from '../../platform/errors.ts'
import type { PlanTerms } from './plan-terms.ts'
import { own } from './plans.tables.ts'

/** The state of a transaction that is not booked. `pending`: known and not failed, final or not. */
export type TransactionState = 'unknown' | 'pending' | 'failed'

export type FundingDeps = {
  db: Db
  /** Queries a Tron node. */
  readTransactionState(txHash: Buffer): Promise<TransactionState>
  /** How long a request waits for its funding to become final and booked. */
  fundingPatienceMs: number
}
type Funding = { plan_code: string; from_address: Buffer; amount: bigint }

const ASKED_EVERY_MS = 500
/** Nodes behind one address may briefly disagree. */
const UNKNOWN_PATIENCE_MS = 5_000

/** Reads a Tron transaction hash, with or without 0x. @throws Refusal `FUNDING_HASH_INVALID` */
export function readFundingHash(text: string): Buffer {
  const digits = /^(?:0x)?([0-9a-f]{64})$/i.exec(text.trim())?.[1]
  if (digits === undefined) throw new Refusal('FUNDING_HASH_INVALID')
  return Buffer.from(digits, 'hex')
}

/**
 * Makes sure that a final transaction from this wallet funds a plan code with exactly its total reward. Waits for a
 * transaction that is still pending.
 * @throws Refusal `FUNDING_MISMATCH` with the difference, `FUNDING_NOT_FOUND`, `FUNDING_FAILED`, `FUNDING_NOT_FINAL`
 */
export async function requireFunding(
  deps: FundingDeps,
  wanted: { txHash: Buffer; terms: PlanTerms; from: Buffer },
): Promise<void> {
  for (let waitedMs = 0; ; waitedMs += ASKED_EVERY_MS) {
    const fundings = await fundingsOf(deps.db, wanted.txHash)
    if (fundings.length > 0) return refuseOther(fundings, wanted)
    await refuseLost(deps, { txHash: wanted.txHash, waitedMs })
    if (waitedMs >= deps.fundingPatienceMs) throw new Refusal('FUNDING_NOT_FINAL')
    await pause(ASKED_EVERY_MS)
  }
}

/** The watcher books fundings, so those found here are final and in the ledger. */
async function fundingsOf(db: Db, txHash: Buffer): Promise<Funding[]> {
  return own(db)
    .selectFrom('plan_funding')
    .select(['plan_code', 'from_address', 'amount'])
    .where('tx_hash', '=', txHash)
    .orderBy('log_index')
    .execute()
}

function refuseOther(
  fundings: readonly Funding[],
  { terms, from }: { terms: PlanTerms; from: Buffer },
): void {
  const ofPlan = fundings.filter((funding) => funding.plan_code === terms.code)
  const ofAmount = ofPlan.filter((funding) => funding.amount === terms.totalReward)
  const isFromHere = ofAmount.some((funding) => funding.from_address.equals(from))
  if (ofPlan.length === 0) throw mismatch('plan_code', 'funds another plan code')
  if (ofAmount.length === 0) throw mismatch('total_reward', 'funds another amount')
  if (!isFromHere) throw mismatch('tx_hash', 'was sent by a wallet other than yours')
}

function mismatch(field: string, why: string): Refusal {
  return new Refusal('FUNDING_MISMATCH', { field }, `The funding transaction ${why}.`)
}

async function refuseLost(
  deps: FundingDeps,
  { txHash, waitedMs }: { txHash: Buffer; waitedMs: number },
): Promise<void> {
  const state = await deps.readTransactionState(txHash)
  if (state === 'failed') throw new Refusal('FUNDING_FAILED')
  const patienceMs = Math.min(UNKNOWN_PATIENCE_MS, deps.fundingPatienceMs)
  if (state === 'unknown' && waitedMs >= patienceMs) throw new Refusal('FUNDING_NOT_FOUND')
}

/** The final fundings of a plan code, newest first. */
export function fundingsOfCode(db: Db, planCode: string) {
  return own(db)
    .selectFrom('plan_funding')
    .select(['tx_hash', 'from_address', 'amount', 'funded_at'])
    .where('plan_code', '=', planCode)
    .orderBy('funded_at', 'desc')
    .limit(20)
    .execute()
}
