import type { EarningPlan } from '@dct/api-contract/plans'
import { JOIN_MAX_DCT, JOIN_MIN_DCT } from '@dct/rules/constants'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { usePublicConfig } from '../../shared/config/public-config.ts'
import { useTexts } from '../../shared/i18n/texts.ts'
import { readDecimal } from '../../shared/lib/decimal.ts'
import { shorten } from '../../shared/lib/shorten.ts'
import { useSession } from '../../shared/session/session.tsx'
import { toast } from '../../shared/ui/toast-store.ts'
import { findFormProblem } from './join-checks.ts'
import { joinQueries } from './join-plan.api.ts'
import { JOIN_REFUSALS, JOIN_WORDING, joinTexts } from './join-plan.texts.ts'

type Draft = { plan: EarningPlan | undefined; amount: string; owner: string | undefined }
/** The join to carry out once all checks have passed. */
export type JoinOrder = { plan: EarningPlan; amount: string; owner: string }

/** Why the form cannot be sent, and the field to correct, if it is one. */
export type FormMistake = { text: string; field: 'plan' | 'amount' | undefined }

/** The form's checks before a join of the chosen plan may start; warns at once if the user already follows it. */
export function useJoinForm(planCode: string) {
  const text = useTexts(joinTexts)
  const { user } = useSession()
  const limits = usePublicConfig()?.limits
  const isFollowed = useQuery(joinQueries.followed(planCode)).data ?? false
  const minimum = limits?.join_minimum ?? JOIN_MIN_DCT
  const maximum = limits?.join_maximum ?? JOIN_MAX_DCT

  // biome-ignore lint/correctness/useExhaustiveDependencies: warn again when another followed plan is chosen
  useEffect(() => {
    if (isFollowed) toast.warning(JOIN_REFUSALS.followed)
  }, [isFollowed, planCode])

  /** @returns the order, or the first problem and its field */
  const check = ({ plan, amount, owner }: Draft): JoinOrder | FormMistake => {
    const problem = findFormProblem({
      planCode: plan?.plan_code ?? '',
      amount,
      isFollowed,
      isWalletConnected: owner !== undefined,
      minimum,
      maximum,
    })
    if (problem !== undefined) return { text: problem, field: fieldOf(problem, plan) }
    // The service would look for a lock by the logged-in user.
    if (owner !== user?.tron_address) {
      const names = { wallet: shorten(owner ?? ''), user: shorten(user?.tron_address ?? '') }
      return { text: text('otherWallet', names), field: undefined }
    }
    const typed = readDecimal(amount)
    if (!plan || owner === undefined || typed === undefined) {
      return { text: JOIN_WORDING.incomplete, field: 'plan' }
    }
    return { plan, amount: typed, owner }
  }
  return { minimum, maximum, isFollowed, check }
}

function fieldOf(problem: string, plan: EarningPlan | undefined): FormMistake['field'] {
  if (problem === JOIN_WORDING.noWallet) return undefined
  return plan === undefined || problem === JOIN_REFUSALS.followed ? 'plan' : 'amount'
}
