import type { CreatePlanBody } from '@dct/api-contract/plans'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { requireNetwork } from '../../shared/chain/require-network.ts'
import { WalletError, walletErrorText } from '../../shared/chain/wallet-error.ts'
import { useWallet } from '../../shared/chain/wallet-provider.tsx'
import { usePublicConfig } from '../../shared/config/public-config.ts'
import { useTexts } from '../../shared/i18n/texts.ts'
import { shorten } from '../../shared/lib/shorten.ts'
import { useOnce } from '../../shared/lib/use-once.ts'
import { StepTaken } from '../../shared/money-step/take-step.ts'
import { useMoneySteps } from '../../shared/money-step/use-money-step.ts'
import { useSession } from '../../shared/session/session.tsx'
import { TxRefusal } from '../../shared/tx/execute-call.ts'
import { useTx } from '../../shared/tx/tx-provider.tsx'
import type { TxReport } from '../../shared/tx/tx-report.ts'
import { useExecuteDeps } from '../../shared/tx/use-execute-deps.ts'
import { toast } from '../../shared/ui/toast-store.ts'
import { useWalletPress } from '../../shared/wallet/use-wallet-press.ts'
import { type AddPlanDeps, addPlan, finishPlan, fundStep, type PlanBody } from './add-plan-flow.ts'
import { PLAN_WORDING, planTexts } from './admin-plans.texts.ts'
import { forgetFunding, fundingsOf, rememberFunding } from './sent-fundings.ts'

/** Funds and creates plans under the transaction overlay, and reports the outcome. */
export function useAddPlan() {
  const text = useTexts(planTexts)
  const { user } = useSession()
  const { address } = useWallet()
  const { isWaiting, press } = useWalletPress()
  const { run } = useTx()
  const depsOf = useDeps()
  const queryClient = useQueryClient()
  const steps = [
    { id: 'check', label: () => text('stepCheck') },
    { id: 'approve', label: () => text('stepApprove') },
    { id: 'fund', label: () => text('stepFund') },
    { id: 'create', label: () => text('stepCreate') },
  ]

  const [taken, setTaken] = useState<StepTaken>()

  const execute = useOnce(async (planCode: string, work: (deps: AddPlanDeps) => Promise<void>) => {
    setTaken(undefined)
    const result = await run({ steps, work: (report) => work(depsOf(report, planCode)) })
    await queryClient.invalidateQueries({ queryKey: ['admin'] })
    if (result.ok) toast.success(text('created', { plan: planCode }))
    else if (result.error instanceof StepTaken) setTaken(result.error)
    else toast.error(textOf(result.error))
    return result.ok
  })

  /** The signing account, or the reason why there is none. */
  function findOwner(account: string | undefined): { owner: string } | { problem: string } {
    if (account === undefined) return { problem: new WalletError('notConnected').message }
    if (account !== user?.tron_address) {
      const names = { wallet: shorten(account), user: shorten(user?.tron_address ?? '') }
      return { problem: text('otherWallet', names) }
    }
    return { owner: account }
  }

  /** Why this plan cannot be funded with this wallet now; undefined if it can. */
  function problemOf({ plan_code }: PlanBody, account: string | undefined): string | undefined {
    const signer = findOwner(account)
    if ('problem' in signer) return signer.problem
    const isFunded = fundingsOf(signer.owner).some(({ body }) => body.plan_code === plan_code)
    return isFunded ? text('fundingWaits', { plan: plan_code }) : undefined
  }

  return {
    isWaiting,
    /** Why the wallet was not asked: an earlier funding of the plan code may be under way. */
    taken,
    leaveTaken: () => setTaken(undefined),
    /** Calls `onFundable` if the plan can be funded with this wallet now; otherwise shows why not. */
    check: (body: PlanBody, onFundable: () => void) =>
      press((account) => {
        const problem = problemOf(body, account)
        if (problem === undefined) onFundable()
        else refuse(problem)
      }),
    /** Funds and creates a plan that has no problem. @returns true when the plan was created */
    async add(body: PlanBody, known: readonly string[]): Promise<boolean | undefined> {
      const signer = findOwner(address)
      if ('problem' in signer) return refuse(signer.problem)
      const { owner } = signer
      return execute(body.plan_code, (deps) => addPlan(deps, { body, owner, known }))
    },
    /** Creates the plan of a funding sent earlier, on whatever device. @returns true when the plan was created */
    finish: (body: CreatePlanBody) =>
      press((account) => {
        const signer = findOwner(account)
        if ('problem' in signer) return refuse(signer.problem)
        return execute(body.plan_code, (deps) => finishPlan(deps, body))
      }),
  }
}

function refuse(problem: string): false {
  toast.error(problem)
  return false
}

function useDeps(): (report: TxReport, planCode: string) => AddPlanDeps {
  const { take, end } = useMoneySteps()
  const execute = useExecuteDeps()
  const planText = useTexts(planTexts)
  const wallet = useWallet()
  const config = usePublicConfig()
  return (report, planCode) => {
    if (config === undefined) throw new TxRefusal(PLAN_WORDING.addFailed)
    const { token, reward_pool: rewardPool, chain_id } = config.tron
    const owner = wallet.address ?? ''
    return {
      ...execute,
      planText,
      contracts: { token, rewardPool },
      requireNetwork: () => requireNetwork(wallet, chain_id),
      take,
      remember: (sent, funding) =>
        rememberFunding({ sent, owner, ...funding, deadline: report.deadline }),
      forget: (hash) => {
        const attempt = forgetFunding(hash)
        if (attempt !== undefined) void end({ step: fundStep(planCode), attempt })
      },
      report,
    }
  }
}

/** The message of a wallet's or the chain's refusal; otherwise the server's message, or the fallback. */
function textOf(error: unknown): string {
  if (error instanceof TxRefusal) return error.message
  return walletErrorText(error, PLAN_WORDING.addFailed)
}
