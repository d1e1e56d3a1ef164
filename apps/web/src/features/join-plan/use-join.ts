import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { errorText } from '../../shared/api/api-error.ts'
import { checkTerms } from '../../shared/api/check-terms.ts'
import { earningsQueries } from '../../shared/api/earnings.api.ts'
import { balancesQueryKey } from '../../shared/chain/use-balances.ts'
import { WalletError } from '../../shared/chain/wallet-error.ts'
import { usePublicConfig } from '../../shared/config/public-config.ts'
import { useTexts } from '../../shared/i18n/texts.ts'
import { useOnce } from '../../shared/lib/use-once.ts'
import { StepTaken } from '../../shared/money-step/take-step.ts'
import { TxRefusal } from '../../shared/tx/execute-call.ts'
import { useTx } from '../../shared/tx/tx-provider.tsx'
import { toast } from '../../shared/ui/toast-store.ts'
import { joinPlan, QuotaUnknown, requireQuota } from './join-flow.ts'
import { joinQueries } from './join-plan.api.ts'
import { JOIN_WORDING, joinTexts } from './join-plan.texts.ts'
import { liveJoins, useJoinDeps } from './use-join-deps.ts'
import type { JoinOrder } from './use-join-form.ts'

/** Why the last attempt stopped, and the transaction it had sent, if any. */
export type JoinProblem = { text: string; hash: string | undefined }

/**
 * Joins a plan in two presses: the first checks the quota and opens the review, the second starts the join under the
 * transaction overlay. Reports the outcome of both.
 */
export function useJoin() {
  const [problem, setProblem] = useState<JoinProblem>()
  const review = useReview(setProblem)
  const { taken, leaveTaken, carryOut } = useCarryOut(setProblem)

  return {
    ...review,
    confirm: useOnce(async (order: JoinOrder) => {
      review.leave()
      await carryOut(order, [])
    }),
    /** Why the wallet was not asked: an earlier join of the plan may be under way. */
    taken,
    leaveTaken,
    /** The press that goes on all the same. */
    confirmTaken: useOnce(async (known: readonly string[]) => {
      if (taken) await carryOut(taken.order, known)
    }),
    problem,
    /** Drops the problem and the review of the previous input, and ignores the result of a running check. */
    dismiss: () => {
      setProblem(undefined)
      leaveTaken()
      review.leave()
    },
  }
}

type OnProblem = (problem: JoinProblem | undefined) => void

/** The first press: runs every check that does not need the wallet before the review is shown. */
function useReview(onProblem: OnProblem) {
  const text = useTexts(joinTexts)
  const decimals = usePublicConfig()?.tron.token_decimals
  const [reviewed, setReviewed] = useState<JoinOrder>()
  const [isChecking, setIsChecking] = useState(false)
  const wanted = useRef<JoinOrder>(undefined)

  /** @param hasFigures whether the review can be calculated; false for more decimal places than the token has */
  async function ask(order: JoinOrder, hasFigures: boolean): Promise<void> {
    wanted.current = order
    onProblem(undefined)
    setIsChecking(true)
    try {
      await requireQuota(order)
      await checkTerms()
      if (decimals === undefined) throw new TxRefusal(JOIN_WORDING.invalidPlan)
      if (!hasFigures) throw new TxRefusal(text('decimals', { decimals }))
      if (wanted.current === order) setReviewed(order)
    } catch (error) {
      if (wanted.current !== order) return
      const shown = joinErrorText(error)
      toast.error(shown)
      onProblem({ text: shown, hash: undefined })
    } finally {
      setIsChecking(false)
    }
  }
  const leave = () => {
    wanted.current = undefined
    setReviewed(undefined)
  }
  return { ask: useOnce(ask), isChecking, reviewed, leave }
}

function useCarryOut(onProblem: OnProblem) {
  const text = useTexts(joinTexts)
  const { run } = useTx()
  const deps = useJoinDeps()
  const refresh = useRefreshAfterJoin()

  const [taken, setTaken] = useState<{ order: JoinOrder; why: StepTaken }>()
  const leaveTaken = () => setTaken(undefined)

  const carryOut = async (order: JoinOrder, known: readonly string[]): Promise<void> => {
    onProblem(undefined)
    leaveTaken()
    const result = await run({
      steps: deps.steps,
      work: (report) => joinPlan(deps.of(report, report.signal), { ...order, known }),
    })
    if (result.hash) liveJoins.delete(result.hash)
    await refresh()
    if (result.ok) {
      // The form is gone; the page says at its top what was locked and when the first reward comes.
      window.scrollTo(0, 0)
      const facts = { plan: order.plan.plan_code, amount: order.amount }
      if (result.value === 'joined') toast.money(text('joinedPlan', facts))
      else toast.info(text('inProgress', facts))
    } else if (result.error instanceof StepTaken) {
      setTaken({ order, why: result.error })
    } else {
      const shown = joinErrorText(result.error)
      if (isDeclined(result.error)) toast.info(shown)
      else toast.error(shown)
      onProblem({ text: shown, hash: result.hash })
    }
  }
  return { taken, leaveTaken, carryOut }
}

export function useRefreshAfterJoin(): () => Promise<void> {
  const queryClient = useQueryClient()
  return async () => {
    // Refetch the earnings first: they close the form, which would otherwise warn about the plan just joined.
    await queryClient.invalidateQueries({ queryKey: earningsQueries.all })
    const others = [joinQueries.all, balancesQueryKey]
    await Promise.all(others.map((queryKey) => queryClient.invalidateQueries({ queryKey })))
  }
}

/** The most specific message available for whatever stopped a join. */
export function joinErrorText(error: unknown): string {
  if (error instanceof QuotaUnknown) return errorText(error.cause, JOIN_WORDING.quotaFailed)
  if (error instanceof TxRefusal || error instanceof WalletError) return error.message
  return errorText(error, JOIN_WORDING.joinFailed)
}

/** The user's own refusal is not an error. */
function isDeclined(error: unknown): boolean {
  return error instanceof WalletError && ['rejected', 'cancelled'].includes(error.problem)
}
