import type { CheckPlanReply, CreatePlanBody } from '@dct/api-contract/plans'
import { parseUnits } from '@dct/money'
import type { MoneyStep } from '@dct/rules/money-steps'
import { addRewardForPlanCall } from '../../shared/chain/contract-call.ts'
import { readAllowance, readDecimals } from '../../shared/chain/read-token.ts'
import { type SentHash, sendCall } from '../../shared/chain/send-call.ts'
import { type Pace, waitForTransaction } from '../../shared/chain/wait-for-transaction.ts'
import type { Translate } from '../../shared/i18n/texts.ts'
import type { HeldStep } from '../../shared/money-step/take-step.ts'
import type { TakeMoneyStep } from '../../shared/money-step/use-money-step.ts'
import { approveExactly } from '../../shared/tx/approve.ts'
import {
  type ExecuteDeps,
  failure,
  logCost,
  TxRefusal,
  tryOut,
} from '../../shared/tx/execute-call.ts'
import type { TxReport } from '../../shared/tx/tx-report.ts'
import { checkPlan, createPlan, openOnChain } from './admin-plans.api.ts'
import { PLAN_WORDING, type planTexts } from './admin-plans.texts.ts'
import type { ReadForm } from './plan-form.ts'

/** How often a funding is looked for: every 3 seconds, up to 60 times. */
const LOOKS: Pace = { everyMs: 3_000, most: 60 }

export type PlanBody = Extract<ReadForm, { body: unknown }>['body']

export type AddPlanDeps = ExecuteDeps & {
  planText: Translate<(typeof planTexts)['english']>
  contracts: { token: string; rewardPool: string }
  /** Asks the wallet for the approval and the funding, unless they may be under way already, by whichever admin. */
  take: TakeMoneyStep
  /** @throws WalletError when the wallet stays on another network */
  requireNetwork(): Promise<void>
  /** Stores the funding so that it survives a reload, from before it is broadcast until its plan is created. */
  remember(sent: SentHash, funding: { body: PlanBody; attempt: string }): void
  forget(hash: string): void
  report: TxReport
}

/**
 * Checks the terms, has the contract fix them, approves exactly the reward if needed, funds the reward, and creates the
 * plan once the funding has succeeded on chain.
 * @throws TxRefusal, WalletError, NodeError, ApiError
 */
export async function addPlan(
  deps: AddPlanDeps,
  input: { body: PlanBody; owner: string; known: readonly string[] },
): Promise<void> {
  const { report, planText } = deps
  report.step('check')
  report.log(() => planText('logCheck'))
  const { fundings } = await checkPlan(input.body)
  await deps.requireNetwork()
  report.signal.throwIfAborted()
  const amount = await toBaseUnits(deps, input)
  report.log(() => planText('logOpening'))
  await openOnChain(input.body)
  const { body, known } = input
  const step = fundStep(body.plan_code)
  // The page sends what the wallet signs, so that without a hash nothing has left.
  const press = { step, known, facts: async () => factsOf(fundings), mayBeSent: () => false }
  const hash = await deps.take(press, async (held) => {
    await approveIfNeeded(deps, { ...input, amount })
    report.step('fund')
    return sendFunding(deps, { ...input, amount, held })
  })
  await createFundedPlan(deps, { ...input.body, tx_hash: hash })
}

/** The name of the step that funds a plan. */
export function fundStep(planCode: string): string {
  return `fund:${planCode}`
}

/** Fundings of the plan code that have arrived, whoever sent them. Later ones are steps that all admins share. */
function factsOf(fundings: CheckPlanReply['fundings']): MoneyStep[] {
  return fundings.map(({ tx_hash: hash, funded_at }) => ({
    ...{ attempt: hash, hash, state: 'arrived', askedAt: new Date(funded_at).getTime() },
  }))
}

/** Resumes a funding that was already sent, after a reload or a timeout. @throws TxRefusal, ApiError */
export async function finishPlan(deps: AddPlanDeps, body: CreatePlanBody): Promise<void> {
  const { report } = deps
  for (const step of ['check', 'approve', 'fund']) report.step(step)
  report.asked()
  report.signed(body.tx_hash)
  await createFundedPlan(deps, body)
}

async function toBaseUnits(
  deps: AddPlanDeps,
  { body, owner }: { body: PlanBody; owner: string },
): Promise<bigint> {
  const decimals = await readDecimals(deps.node(), { token: deps.contracts.token, from: owner })
  try {
    return parseUnits(String(body.total_reward), decimals)
  } catch (cause) {
    throw new TxRefusal(deps.planText('decimals', { decimals }), { cause })
  }
}

type Funding = { body: PlanBody; owner: string; amount: bigint }

async function approveIfNeeded(deps: AddPlanDeps, { body, owner, amount }: Funding): Promise<void> {
  const { report, node } = deps
  const { token, rewardPool: spender } = deps.contracts
  const allowance = await readAllowance(node(), { token, owner, spender })
  if (allowance >= amount) {
    report.skip('approve')
    report.log(() => deps.planText('logApproved', { amount: body.total_reward }))
    return
  }
  const { signal } = report
  const terms = { token, spender, amount, allowance }
  await approveExactly(deps, { ...terms, from: owner, report, signal })
}

async function sendFunding(
  deps: AddPlanDeps,
  { body, owner, amount, held }: Funding & { held: HeldStep },
): Promise<string> {
  const { report, text } = deps
  const call = addRewardForPlanCall(deps.contracts.rewardPool, { planCode: body.plan_code, amount })
  const cost = await tryOut(deps, { from: owner, call })
  logCost(deps, report, cost)
  report.asked()
  report.log(() => text('logConfirm'))
  const order = { from: owner, call, signal: report.signal, feeLimitSun: cost.feeLimitSun }
  const { hash } = await sendCall(deps, order, (sent) => {
    deps.remember(sent, { body, attempt: held.attempt })
    void held.sent(sent.hash) // stored on this device at once, and told to the service meanwhile
    report.signed(sent.hash)
    report.log(() => text('logSent', { hash: sent.hash }))
  })
  return hash
}

async function createFundedPlan(deps: AddPlanDeps, body: CreatePlanBody): Promise<void> {
  const { report, planText, node } = deps
  const sent = { hash: body.tx_hash, expiresAt: undefined }
  const end = await waitForTransaction(node, sent, new AbortController().signal, {
    ...LOOKS,
    onPoll: (attempt) =>
      report.log(() => planText('logPolling', { attempt, attempts: LOOKS.most })),
  })
  if (end.status === 'unseen') throw new TxRefusal(PLAN_WORDING.timeout)
  if (end.status === 'failed') {
    deps.forget(body.tx_hash)
    throw failure(deps, end.reason)
  }
  report.included()
  report.step('create')
  report.log(() => planText('logCreate'))
  await createPlan(body)
  deps.forget(body.tx_hash)
}
