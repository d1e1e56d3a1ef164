import type { ReferralSummary } from '@dct/api-contract/referrals'
import { useId } from 'react'
import { addDecimals } from '../../shared/lib/decimal.ts'
import { Amount } from '../../shared/ui/amount.tsx'
import { REFERRAL_WORDING } from './referrals.texts.ts'

/** Direct, non-fee and total rewards. */
export function SummaryCards({ summary }: { summary: ReferralSummary }) {
  const { total_direct_unclaimed: direct, total_indirect_unclaimed: indirect } = summary
  return (
    <div className="referral-cards">
      <Card
        title={REFERRAL_WORDING.directRewards}
        reward={summary.total_direct_reward}
        claimed={summary.total_direct_claimed}
        unclaimed={direct}
      />
      <Card
        title={REFERRAL_WORDING.nonFeeReferral}
        reward={summary.total_indirect_reward}
        claimed={summary.total_indirect_claimed}
        unclaimed={indirect}
      />
      <Card
        title={REFERRAL_WORDING.totalSummary}
        reward={addDecimals(summary.total_direct_reward, summary.total_indirect_reward)}
        claimed={addDecimals(summary.total_direct_claimed, summary.total_indirect_claimed)}
        unclaimed={addDecimals(direct, indirect)}
      />
    </div>
  )
}

type CardProps = { title: string; reward: string; claimed: string; unclaimed: string }

function Card({ title, reward, claimed, unclaimed }: CardProps) {
  const headingId = useId()
  return (
    <article className="referral-card" aria-labelledby={headingId}>
      <h3 id={headingId}>{title}</h3>
      <dl className="referral-card__figures">
        <Figure term={REFERRAL_WORDING.totalReward} value={reward} />
        <Figure term={REFERRAL_WORDING.totalClaimed} value={claimed} />
        <Figure term={REFERRAL_WORDING.totalUnclaimed} value={unclaimed} />
      </dl>
    </article>
  )
}

function Figure({ term, value }: { term: string; value: string }) {
  return (
    <div>
      <dt>{term}</dt>
      <dd>
        <Amount value={value} unit="USDT" />
      </dd>
    </div>
  )
}
