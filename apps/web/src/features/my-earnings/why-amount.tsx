import type { ClaimRecord } from '@dct/api-contract/claims'
import type { RewardRecord } from '@dct/api-contract/earnings'
import type { Earning } from '../../shared/api/earnings.api.ts'
import { useTexts } from '../../shared/i18n/texts.ts'
import { ratePercentage, sixOrMore } from '../../shared/lib/decimal.ts'
import { shownPercentage } from '../../shared/lib/shown-percentage.ts'
import { WhyLine } from '../../shared/ui/why-line.tsx'
import { earningsTexts } from './my-earnings.texts.ts'

/** How a cycle's reward is calculated: basis, rate, cycle, formula. */
export function WhyReward({ reward, earning }: { reward: RewardRecord; earning: Earning }) {
  const text = useTexts(earningsTexts)
  const { total_locked_amount: locked, total_reward: whole, duration_days } = earning
  return (
    <WhyLine title={text('why')}>
      {text('whyReward', {
        locked,
        percentage: ratePercentage(whole, locked),
        reward: whole,
        cycles: duration_days,
        cycle: reward.cycle,
        before: reward.cycle - 1,
      })}{' '}
      {!reward.is_counted && text('whyUncounted')}
    </WhyLine>
  )
}

/** What a claim contains and how its fee is calculated. */
export function WhyClaim({ claim }: { claim: ClaimRecord }) {
  const text = useTexts(earningsTexts)
  return (
    <WhyLine title={text('why')}>
      {text('whyClaim', {
        first: claim.first_cycle,
        last: claim.last_cycle,
        percentage: shownPercentage(claim.fee_percentage),
        feeDct: claim.unpaid_fee,
        price: sixOrMore(claim.price_usdt),
        fee: claim.fee_usdt,
        energy: claim.energy_fee_usdt,
        exact: claim.exact_fee_usdt,
      })}
    </WhyLine>
  )
}
