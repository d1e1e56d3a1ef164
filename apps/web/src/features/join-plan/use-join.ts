import type { EarningPlan } from '@dct/api-contract/plans'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { errorText } from '../../shared/api/api-error.ts'
import { earningsQueries } from '../../shared/api/earnings.api.ts'
import { balancesQueryKey } from '../../shared/chain/use-balances.ts'
import { WalletError } from '../../shared/chain/wallet-error.ts'
import { useTexts } from '../../shared/i18n/texts.ts'
import { useOnce } from '../../shared/lib/use-once.ts'
import { TxRefusal } from '../../shared/tx/execute-call.ts'
import { useTx } from '../../shared/tx/tx-provider.tsx'
import { toast } from '../../shared/ui/toast-store.ts'
import { joinPlan, QuotaUnknown } from './join-flow.ts'
import { joinQueries } from './join-plan.api.ts'
import { JOIN_WORDING, joinTexts } from './join-plan.texts.ts'
import { liveJoins, useJoinDeps } from './use-join-deps.ts'

/** Why the last attempt stopped, and the transaction it had sent, if any. */
export type JoinProblem = { text: string; hash: string | undefined }

/** Joins a plan under the transaction overlay and reports the outcome. */
export function useJoin() {
  const text = useTexts(joinTexts)
  const { run } = useTx()
  const deps = useJoinDeps()
  const refresh = useRefreshAfterJoin()
  const [problem, setProblem] = useState<JoinProblem>()

  async function join(input: { plan: EarningPlan; amount: string; owner: string }): Promise<void> {
    setProblem(undefined)
    const { signal } = new AbortController()
    const result = await run({
      steps: deps.steps,
      work: (report) => joinPlan(deps.of(report, signal), input),
    })
    if (result.hash) liveJoins.delete(result.hash)
    await refresh()
    if (result.ok) {
      toast.money(text('joinedPlan', { plan: input.plan.plan_code, amount: input.amount }))
    } else {
      const shown = joinErrorText(result.error)
      if (isDeclined(result.error)) toast.info(shown)
      else toast.error(shown)
      setProblem({ text: shown, hash: result.hash })
    }
  }
  return { join: useOnce(join), problem, dismiss: () => setProblem(undefined) }
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
  return error instanceof WalletError && error.problem === 'rejected'
}
