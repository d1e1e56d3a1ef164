import type { ClaimableReward, ClaimType } from '@dct/api-contract/claims'
import { CLAIM_KINDS } from '@dct/rules/fees'
import { useTexts } from '../../shared/i18n/texts.ts'
import { isPositive } from '../../shared/lib/decimal.ts'
import { Amount } from '../../shared/ui/amount.tsx'
import { Fact } from '../../shared/ui/fact.tsx'
import { Notice } from '../../shared/ui/notice.tsx'
import { TimeLeft } from '../../shared/ui/time-left.tsx'
import { blockingReason } from './claim-problem.ts'
import { CLAIM_WORDING, claimTexts } from './claims.texts.ts'

type ClaimCardProps = {
  reward: ClaimableReward
  /** The figures could not be refreshed, so they must not be acted on. */
  isStale: boolean
  onClaim(type: ClaimType): void
}

/** What can be claimed from one plan, what the claim would cost, and the ways to claim it. */
export function ClaimCard({ reward, isStale, onClaim }: ClaimCardProps) {
  const text = useTexts(claimTexts)
  const reason = isStale ? text('stale') : blockingReason(reward)
  return (
    <article className="panel" aria-label={reward.earning_plan_code}>
      <h3>{reward.earning_plan_code}</h3>
      <dl className="facts">
        <Fact
          term={text('claimable')}
          hint={text('cycles', { first: reward.first_cycle, last: reward.last_cycle })}
        >
          <Amount className="claim-card__main" value={reward.total_claimable} unit="DCT" />
        </Fact>
        <Fact term={text('estimatedFee')} hint={text('feeHint')}>
          <Amount
            className="claim-card__main"
            value={reward.is_fee_known ? reward.estimated_fee_usdt : undefined}
            unit="USDT"
          />
        </Fact>
        <Fact term={text('claimUntil')}>
          <TimeLeft value={reward.claim_until} />
        </Fact>
      </dl>
      {reason && <Notice tone="warn">{reason}</Notice>}
      {isPositive(reward.total_claimable) && (
        <div className="row">
          {CLAIM_KINDS.map((type, index) => (
            <button
              key={type}
              type="button"
              className={index === 0 ? 'button button--dct' : 'button button--quiet'}
              disabled={reason !== null}
              onClick={() => onClaim(type)}
            >
              {CLAIM_WORDING[type]}
            </button>
          ))}
        </div>
      )}
    </article>
  )
}
