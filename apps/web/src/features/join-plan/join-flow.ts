import type { UserEarning } from '@dct/api-contract/earnings'
import type { EarningPlan } from '@dct/api-contract/plans'
import { parseUnits } from '@dct/money'
import type { MoneyStep } from '@dct/rules/money-steps'
import { ApiError } from '../../shared/api/api-error.ts'
import { callContract } from '../../shared/chain/call-contract.ts'
import { joinStakeCall, type SendableCall } from '../../shared/chain/contract-call.ts'
import { hasStake } from '../../shared/chain/read-stake.ts'
import { readAllowance, readDecimals } from '../../shared/chain/read-token.ts'
import type { RevertReason } from '../../shared/chain/revert-reason.ts'
import { revertSentence } from '../../shared/chain/revert-reason.ts'
import type { SentHash } from '../../shared/chain/send-call.ts'
import { WalletError } from '../../shared/chain/wallet-error.ts'
import type { Translate } from '../../shared/i18n/texts.ts'
import { shownTime } from '../../shared/lib/date.ts'
import { isFollowing } from '../../shared/lib/earning-status.ts'
import type { HeldStep } from '../../shared/money-step/take-step.ts'
import type { TakeMoneyStep } from '../../shared/money-step/use-money-step.ts'
import { approveExactly } from '../../shared/tx/approve.ts'
import {
  type ExecuteDeps,
  executeCall,
  requireShown,
  TxRefusal,
  TxUnseen,
} from '../../shared/tx/execute-call.ts'
import type { SentTransaction } from '../../shared/tx/sent-transactions.ts'
import type { TxReport } from '../../shared/tx/tx-report.ts'
import { findQuotaProblem } from './join-checks.ts'
import {
  checkQuota,
  type JoinRecord,
  readJoins,
  recordJoin,
  reserveQuota,
} from './join-plan.api.ts'
import { JOIN_REFUSALS, JOIN_WORDING, type joinTexts } from './join-plan.texts.ts'

export const JOIN_KIND = 'join'

export type JoinDeps = ExecuteDeps & {
  joinText: Translate<(typeof joinTexts)['english']>
  contracts: { token: string; staking: string }
  /** Asks the wallet for the approval and the lock, unless they may be under way already. */
  take: TakeMoneyStep
  /** @throws WalletError when the wallet stays on another network */
  requireNetwork(): Promise<void>
  /** Stores the lock so that it survives a reload, from before it is broadcast until it is recorded. */
  remember(sent: SentTransaction): void
  forget(hash: string): void
  report: TxReport
  signal: AbortSignal
}

export type JoinInput = {
  plan: EarningPlan
  amount: string
  owner: string
  /** Earlier attempts that the holder knew of, and went on in spite of. */
  known: readonly string[]
}

/** The name of the step that locks tokens in a plan. */
export function joinStep(planCode: string): string {
  return `join:${planCode}`
}

/** The quota could not be checked; nothing was started. The cause is the failed request's error. */
export class QuotaUnknown extends Error {
  override name = 'QuotaUnknown'
}

/**
 * `joined`: the chain has included the lock, and the service has recorded it. `announced`: nothing has shown the lock
 * yet, so the service looks for it and decides.
 */
export type JoinEnd = 'joined' | 'announced'

/**
 * Checks and reserves the quota, approves exactly the amount if needed, locks it and records the join.
 * @throws QuotaUnknown, StepTaken, TxRefusal, WalletError, NodeError, ApiError; the signal's reason while nothing is
 *   sent
 */
export async function joinPlan(deps: JoinDeps, input: JoinInput): Promise<JoinEnd> {
  const { report, joinText } = deps
  const { plan } = input
  report.step('quota')
  report.log(() => joinText('logQuota'))
  await requireQuota(input)
  await deps.requireNetwork()
  deps.signal.throwIfAborted()
  const amount = await toBaseUnits(deps, input)
  await reserve(deps, input)

  const { staking } = deps.contracts
  const lock = joinStakeCall(staking, {
    amount,
    planCode: plan.plan_code,
    durationDays: plan.duration_days,
  })
  const { known } = input
  const step = joinStep(plan.plan_code)
  // The page sends what the wallet signs, so that without a hash nothing has left.
  const press = { step, known, facts: () => joinFacts(plan.plan_code), mayBeSent: () => false }
  const { hash, end } = await deps.take(press, async (held) => {
    await approveIfNeeded(deps, { ...input, base: amount, lock })
    report.step('lock')
    return sendLock(deps, input, { call: lock, held })
  })
  await record(deps, { plan_code: plan.plan_code, amount: input.amount, trx_hash: hash })
  return end
}

/** What the service knows of locks in a plan, whoever sent them. @throws TxRefusal if the holder follows it already */
async function joinFacts(planCode: string): Promise<MoneyStep[]> {
  const joins = await readJoins(planCode)
  const waiting = joins.filter(({ is_hash_confirmed }) => is_hash_confirmed === 'WAITING')
  if (waiting.length === 0 && isFollowing(joins)) throw new TxRefusal(JOIN_REFUSALS.followed)
  return waiting.map(({ trx_hash: hash }) => ({
    attempt: hash,
    hash,
    state: 'checking',
    askedAt: 0,
  }))
}

/**
 * Resumes, after a reload, a lock that was already sent.
 * @throws TxRefusal, ApiError; the signal's reason when aborted
 */
export async function resumeJoin(deps: JoinDeps, sent: SentTransaction): Promise<JoinEnd> {
  const { report, joinText, signal } = deps
  const { planCode = '', amount = '' } = sent.facts
  showSent(report, sent.hash)
  report.log(() => joinText('logResumed', { hash: sent.hash }))
  const awaited = { hash: sent.hash, expiresAt: sent.expiresAt }
  const isDone = () => isLocked(deps, { owner: sent.owner, planCode })
  const outcome = requireShown(deps, { sent: awaited, signal, isDone })
  const end = await followLock(deps, outcome, () => sent.hash)
  await record(deps, { plan_code: planCode, amount, trx_hash: sent.hash })
  return end
}

function isLocked(
  { node, contracts }: JoinDeps,
  { owner, planCode }: { owner: string; planCode: string },
): Promise<boolean> {
  return hasStake(node(), { staking: contracts.staking, owner, planCode })
}

/**
 * Waits for a lock's outcome. One that failed in a final block, or that was never sent, is forgotten; one that nothing
 * has shown is not.
 */
async function followLock(
  { forget, report }: JoinDeps,
  outcome: Promise<unknown>,
  hashOf: () => string | undefined,
): Promise<JoinEnd> {
  try {
    await outcome
    report.included()
    return 'joined'
  } catch (error) {
    if (error instanceof TxUnseen) return 'announced'
    const hash = hashOf()
    const isOver = error instanceof TxRefusal || error instanceof WalletError
    if (hash !== undefined && isOver) forget(hash)
    throw error
  }
}

/**
 * Follows a lock that was sent elsewhere and that the service already knows. There is nothing to sign or record here,
 * so only the service's decision counts.
 * @throws TxRefusal when the lock failed
 */
export async function followJoin(
  { report, joinText }: Pick<JoinDeps, 'report' | 'joinText'>,
  { hash, decided }: { hash: string; decided: Promise<UserEarning> },
): Promise<void> {
  showSent(report, hash)
  report.log(() => joinText('logPickedUp', { hash }))
  report.step('record')
  report.log(() => joinText('logFinality'))
  const { is_hash_confirmed, failure_reason } = await decided
  if (is_hash_confirmed === 'FAILED') throw new TxRefusal(failure_reason ?? JOIN_WORDING.joinFailed)
}

function showSent(report: TxReport, hash: string): void {
  for (const step of ['quota', 'approve', 'lock']) report.step(step)
  report.asked()
  report.signed(hash)
}

/**
 * Checks the plan and the amount against what is left of the quotas now.
 * @throws QuotaUnknown, or TxRefusal with the first problem
 */
export async function requireQuota({
  plan,
  amount,
}: Pick<JoinInput, 'plan' | 'amount'>): Promise<void> {
  const quota = await checkQuota(plan.plan_code).catch((cause: unknown) => {
    throw new QuotaUnknown('The quota could not be checked', { cause })
  })
  const problem = findQuotaProblem(amount, {
    totalPercentage: plan.total_percentage,
    durationDays: plan.duration_days,
    remainingDaily: quota.remaining_daily_limit,
    remainingAnnual: quota.remaining_annual_quota,
  })
  if (problem) throw new TxRefusal(problem)
}

async function reserve({ report, joinText }: JoinDeps, { plan, amount }: JoinInput): Promise<void> {
  const { expires_at } = await reserveQuota(plan.plan_code, amount)
  report.log(() => joinText('logReserved', { time: shownTime(new Date(expires_at)) }))
}

async function toBaseUnits(deps: JoinDeps, { amount, owner }: JoinInput): Promise<bigint> {
  const decimals = await readDecimals(deps.node(), { token: deps.contracts.token, from: owner })
  try {
    return parseUnits(amount, decimals)
  } catch (cause) {
    throw new TxRefusal(deps.joinText('decimals', { decimals }), { cause })
  }
}

type Approval = { owner: string; amount: string; base: bigint; lock: SendableCall }

async function approveIfNeeded(deps: JoinDeps, approval: Approval): Promise<void> {
  const { report, joinText, contracts, node, signal } = deps
  const { owner, base } = approval
  const { token, staking } = contracts
  const allowance = await readAllowance(node(), { token, owner, spender: staking })
  if (allowance >= base) {
    report.skip('approve')
    report.log(() => joinText('logApproved', { amount: approval.amount }))
    return
  }
  await refuseHopelessLock(deps, approval)
  const terms = { token, spender: staking, amount: base, allowance }
  await approveExactly(deps, { ...terms, from: owner, report, signal })
}

/** Simulates the lock first, so that the holder does not pay for an approval if the lock would be refused anyway. */
async function refuseHopelessLock(deps: JoinDeps, { owner, lock }: Approval): Promise<void> {
  const outcome = await callContract(deps.node(), owner, lock)
  if (!outcome.ok && !isAboutAllowance(outcome.reason)) {
    throw new TxRefusal(revertSentence(deps.chainText, outcome.reason))
  }
}

/** Tokens report a missing allowance in different ways, so an unknown reason may be just that. */
function isAboutAllowance({ name }: RevertReason): boolean {
  return name === 'ERC20InsufficientAllowance' || name === 'Unknown'
}

async function sendLock(
  deps: JoinDeps,
  input: JoinInput,
  { call, held }: { call: SendableCall; held: HeldStep },
): Promise<{ hash: string; end: JoinEnd }> {
  const { report, signal } = deps
  const { owner, plan, amount } = input
  const facts = { planCode: plan.plan_code, amount, attempt: held.attempt }
  let hash: string | undefined
  const onSigned = (signed: SentHash) => {
    hash = signed.hash
    const { expiresAt } = signed
    deps.remember({ kind: JOIN_KIND, hash, expiresAt, owner, deadline: report.deadline, facts })
    void held.sent(hash) // stored on this device at once, and told to the service meanwhile
  }
  const isDone = () => isLocked(deps, { owner, planCode: plan.plan_code })
  const outcome = executeCall(deps, { from: owner, call, report, signal, isDone, onSigned })
  const end = await followLock(deps, outcome, () => hash)
  return { hash: hash ?? '', end }
}

async function record(deps: JoinDeps, join: JoinRecord): Promise<void> {
  deps.report.step('record')
  try {
    await recordJoin(join)
  } catch (error) {
    if (!isTemporary(error)) deps.forget(join.trx_hash)
    throw error
  }
  deps.forget(join.trx_hash)
}

/** Whether the service did not answer, was busy, or the session is being renewed: the request can succeed later. */
export function isTemporary(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false
  return error.status === 0 || error.status === 401 || error.status === 429 || error.status >= 500
}
