import type { ClaimableReward, ClaimType } from '@dct/api-contract/claims'
import type { BusinessDay } from '@dct/rules/business-day'
import { CANCEL_AFTER_HOURS, CLAIM_MIN_DCT } from '@dct/rules/constants'
import { CLAIM_KINDS, isCancellable } from '@dct/rules/fees'
import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { earningsQueries } from '../../shared/api/earnings.api.ts'
import { FIRST_EARNINGS } from '../../shared/api/first-calls.ts'
import { useGraceCycles } from '../../shared/config/grace-cycles.ts'
import { useTexts } from '../../shared/i18n/texts.ts'
import { shownDate } from '../../shared/lib/date.ts'
import { isPositive } from '../../shared/lib/decimal.ts'
import { Amount } from '../../shared/ui/amount.tsx'
import { Callout } from '../../shared/ui/callout.tsx'
import { DateTime } from '../../shared/ui/date-time.tsx'
import { Fact } from '../../shared/ui/fact.tsx'
import { blockingReason } from './claim-problem.ts'
import { CLAIM_WORDING, claimTexts } from './claims.texts.ts'
import { lastClaimDay } from './last-claim-day.ts'
import { exactPart, splitDecimals } from './split-decimals.ts'

type ClaimCardProps = {
  reward: ClaimableReward
  /** The figures could not be refreshed, so they must not be acted on. */
  isStale: boolean
  onClaim(type: ClaimType): void
}

/** What can be claimed from one plan, by when, what the claim would cost, and the ways to claim it. */
export function ClaimCard({ reward, isStale, onClaim }: ClaimCardProps) {
  const text = useTexts(claimTexts)
  const fromId = useId()
  const lastDay = useLastDay(reward)
  const reason = isStale ? text('stale') : blockingReason(reward)
  return (
    <article className="panel" aria-label={reward.earning_plan_code}>
      <h3>{reward.earning_plan_code}</h3>
      <dl className="facts">
        <Fact term={text('claimable')}>
          <Amount className="claim-card__main" value={reward.total_claimable} unit="DCT" />
        </Fact>
        <Fact term={text('estimatedFee')} word="fee">
          <Amount
            className="claim-card__main"
            value={reward.is_fee_known ? reward.estimated_fee_usdt : undefined}
            unit="USDT"
          />
        </Fact>
        {lastDay && (
          <Fact term={text('lastDay')}>
            <DateTime value={lastDay} />
          </Fact>
        )}
      </dl>
      {reason && <Callout tone="warn">{reason}</Callout>}
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
              <ChoiceParts reward={reward} type={type} />
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

function useLastDay(reward: ClaimableReward): BusinessDay | undefined {
  const earnings = useQuery(earningsQueries.list(FIRST_EARNINGS)).data?.earnings
  const earning = earnings?.find((one) => one.earning_plan_code === reward.earning_plan_code)
  return lastClaimDay(reward, earning, useGraceCycles())
}

/** What a type sends now and after the fee, and whether it can be cancelled. The fee is the same for all. */
function ChoiceParts({ reward, type }: { reward: ClaimableReward; type: ClaimType }) {
  const text = useTexts(claimTexts)
  const { now_amount: now, later_amount: later } = reward.parts[type]
  const decimals = splitDecimals(reward.parts[type])
  return (
    <div className="stack stack--tight">
      <dl className="claim-choice__parts">
        <ChoicePart name={text('choiceNow')} part={now} decimals={decimals} />
        <ChoicePart name={text('choiceLater')} part={later} decimals={decimals} />
      </dl>
      <p className="soft small">
        {isCancellable(type)
          ? text('choiceCancel', { hours: CANCEL_AFTER_HOURS })
          : text('choiceFinal')}
      </p>
    </div>
  )
}

function ChoicePart({ name, part, decimals }: { name: string; part: string; decimals: 2 | 6 }) {
  const text = useTexts(claimTexts)
  const exact = exactPart(part, decimals)
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <Amount value={part} unit="DCT" decimals={decimals} />
      </dd>
      {exact && <dd className="claim-choice__exact">{text('exactly', { amount: exact })}</dd>}
    </div>
  )
}
