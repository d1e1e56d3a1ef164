import type { ClaimableReward, ClaimType } from '@dct/api-contract/claims'
import { CANCEL_AFTER_HOURS, CLAIM_MIN_DCT } from '@dct/rules/constants'
import { CLAIM_KINDS, isCancellable } from '@dct/rules/fees'
import { useId } from 'react'
import { type Translate, useTexts } from '../../shared/i18n/texts.ts'
import { shownDate } from '../../shared/lib/date.ts'
import { isPositive } from '../../shared/lib/decimal.ts'
import { Amount } from '../../shared/ui/amount.tsx'
import { Fact } from '../../shared/ui/fact.tsx'
import { Notice } from '../../shared/ui/notice.tsx'
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
  const fromId = useId()
  const reason = isStale ? text('stale') : blockingReason(reward)
  return (
    <article className="panel" aria-label={reward.earning_plan_code}>
      <h3>{reward.earning_plan_code}</h3>
      <dl className="facts">
        <Fact
          term={text('claimable')}
          word="claim"
          hint={text('cycles', { first: reward.first_cycle, last: reward.last_cycle })}
        >
          <Amount className="claim-card__main" value={reward.total_claimable} unit="DCT" />
        </Fact>
        <Fact term={text('estimatedFee')} word="fee" hint={text('feeHint')}>
          <Amount
            className="claim-card__main"
            value={reward.is_fee_known ? reward.estimated_fee_usdt : undefined}
            unit="USDT"
          />
        </Fact>
      </dl>
      <p className="soft small">{text('inTime', { until: shownDate(reward.claim_until) })}</p>
      {reason && <Notice tone="warn">{reason}</Notice>}
      {reward.claimable_from !== null && (
        <p className="small" id={fromId}>
          {text('from', {
            day: shownDate(reward.claimable_from),
            minimum: CLAIM_MIN_DCT,
          })}
        </p>
      )}
      {isPositive(reward.total_claimable) && (
        <div className="claim-choice">
          {CLAIM_KINDS.map((type, index) => (
            <section key={type} className="claim-choice__option" aria-label={type}>
              <ul className="small">
                {choiceLines(reward, type, text).map((line) => (
                  <li key={line}>{line}</li>
                ))}
              </ul>
              <button
                type="button"
                className={index === 0 ? 'button button--dct' : 'button button--quiet'}
                disabled={reason !== null}
                aria-describedby={reward.claimable_from === null ? undefined : fromId}
                onClick={() => onClaim(type)}
              >
                {CLAIM_WORDING[type]}
              </button>
            </section>
          ))}
        </div>
      )}
    </article>
  )
}

/** What a type sends now and later, and whether it can be undone. The fee is the same for all. */
function choiceLines(
  reward: ClaimableReward,
  type: ClaimType,
  text: Translate<(typeof claimTexts)['english']>,
): string[] {
  const { now_amount: now, later_amount: later } = reward.parts[type]
  return [
    isPositive(now) ? text('choiceNow', { amount: now }) : text('choiceNothingNow'),
    text('choiceLater', { amount: later }),
    isCancellable(type) ? text('choiceCancel', { hours: CANCEL_AFTER_HOURS }) : text('choiceFinal'),
  ]
}
