import type { ClaimableReward, PendingClaimFee } from '@dct/api-contract/claims'
import type { Earning } from '../../shared/api/earnings.api.ts'
import { earningStatus, freezesFirst, isFollowing } from '../../shared/lib/earning-status.ts'

export type Holdings = {
  earnings: readonly Earning[]
  claimable: readonly ClaimableReward[]
  fees: readonly PendingClaimFee[]
}

/** What a holder should do next, the most urgent first. */
export type NextStep =
  | { name: 'payFee'; fee: PendingClaimFee; openFees: number }
  | { name: 'claimFrozen' | 'claimSoon'; planCode: string; cyclesLeft: number }
  /** A claim is not possible yet, and the time for it will be short. */
  | { name: 'claimFrom'; planCode: string; from: string; until: string }
  | { name: 'claimReady'; planCode: string; amount: string; before: string | null }
  | { name: 'join' }
  | { name: 'wait' }

export function nextStep({ earnings, claimable, fees }: Holdings, now: Date): NextStep {
  // An admin handles a payment of a different amount; paying again would be wrong.
  const open = fees.filter(({ is_paid, mismatch }) => !is_paid && mismatch === null)
  const oldest = open.toSorted((a, b) => a.claim_date.localeCompare(b.claim_date))[0]
  if (oldest) return { name: 'payFee', fee: oldest, openFees: open.length }

  const urgent = earnings
    .filter((earning) => earning.is_hash_confirmed === 'SUCCESS' && isClaimable(earning, claimable))
    .filter((earning) => earning.is_frozen || earning.freeze_warning !== null)
    .toSorted((a, b) => cyclesLeft(a) - cyclesLeft(b))[0]
  if (urgent) {
    return {
      name: earningStatus(urgent, now) === 'Freeze' ? 'claimFrozen' : 'claimSoon',
      planCode: urgent.earning_plan_code,
      cyclesLeft: Math.max(0, cyclesLeft(urgent)),
    }
  }
  const awaited = earnings
    .filter(({ freeze_warning, freeze_reason }) => freeze_warning !== null && !freeze_reason)
    .find(({ claimable_from }) => claimable_from !== null)
  const until = awaited && (freezesFirst(awaited) ? awaited.lapses_from : awaited.freezes_on)
  if (awaited?.claimable_from && until) {
    return {
      name: 'claimFrom',
      planCode: awaited.earning_plan_code,
      from: awaited.claimable_from,
      until,
    }
  }
  const ready = claimable.find(({ can_claim }) => can_claim)
  if (ready) {
    const { earning_plan_code: planCode, total_claimable: amount } = ready
    const earning = earnings.find(({ earning_plan_code }) => earning_plan_code === planCode)
    return { name: 'claimReady', planCode, amount, before: earning?.freezes_on ?? null }
  }
  return { name: isFollowing(earnings) ? 'wait' : 'join' }
}

function cyclesLeft({ freeze_limit, reward_distribution_count }: Earning): number {
  return freeze_limit - reward_distribution_count
}

function isClaimable(
  { earning_plan_code }: Pick<Earning, 'earning_plan_code'>,
  claimable: Holdings['claimable'],
): boolean {
  return claimable.some(
    (reward) => reward.earning_plan_code === earning_plan_code && reward.can_claim,
  )
}
