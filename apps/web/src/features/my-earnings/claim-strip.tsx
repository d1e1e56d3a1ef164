import type { BusinessDay } from '@dct/rules/business-day'
import type { Earning } from '../../shared/api/earnings.api.ts'
import { useBusinessNow } from '../../shared/config/business-time.ts'
import { useGraceCycles } from '../../shared/config/grace-cycles.ts'
import { usePublicConfig } from '../../shared/config/public-config.ts'
import { useTexts } from '../../shared/i18n/texts.ts'
import { lastDayBefore } from '../../shared/lib/date.ts'
import { toFixedDecimal } from '../../shared/lib/decimal.ts'
import { daysLost } from '../../shared/lib/earning-status.ts'
import { useRelativeDay } from '../../shared/lib/use-relative-day.ts'
import { DateTime } from '../../shared/ui/date-time.tsx'
import { Fact } from '../../shared/ui/fact.tsx'
import { type DeadlineKind, nextDeadline } from './deadline.ts'
import { earningsTexts } from './my-earnings.texts.ts'
import { stripCells } from './strip-cells.ts'
import './claim-strip.css'

const TERMS = {
  beforeFreeze: 'deadlineFreeze',
  beforeLoss: 'deadlineLoss',
  payBeforeLoss: 'deadlinePay',
  beforeEnd: 'deadlineEnd',
} as const satisfies Record<DeadlineKind, string>

/** The claim window as a strip of days: what is credited since the last claim, how much time is left, and until when. */
export function ClaimStrip({ earning }: { earning: Earning }) {
  const text = useTexts(earningsTexts)
  const grace = useGraceCycles()
  const deadline = nextDeadline(earning, { now: useBusinessNow(), grace })
  const { reward_distribution_count: count, freeze_limit: limit } = earning
  const { claimable_from: from, freeze_reason, freeze_warning } = earning
  const limits = usePublicConfig()?.limits
  // The last day is over then: the callout below says since when.
  const isLosing = daysLost(earning, grace) > 0
  const minimum = limits && toFixedDecimal(limits.claim_minimum, 2)?.replace(/0$/, '')
  const isNear = freeze_warning !== null && { tone: 'warn' as const }
  return (
    <div className="claim-strip">
      <dl className="facts facts--rows">
        <Fact
          term={text('claimCount')}
          {...isNear}
          {...(count > limit && { hint: text('claimCountOver', { over: count - limit, limit }) })}
        >
          {count} / {limit}
        </Fact>
        {from !== null && deadline && freeze_reason !== 'open_fee' && (
          <DayFact
            term={text('claimFrom')}
            day={from as BusinessDay}
            hasDistance
            {...(minimum !== undefined && { condition: text('claimFromWhy', { minimum }) })}
          />
        )}
        {deadline && !isLosing && (
          <DayFact
            term={text(TERMS[deadline.kind])}
            day={lastDayBefore(deadline.at.toISOString())}
            hasDistance={from === null}
            {...isNear}
          />
        )}
      </dl>
      {earning.distributed_cycles < earning.duration_days && (
        <div className="claim-strip__cells" aria-hidden="true">
          {stripCells(earning).map((state, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the days of the window never change order
            <span key={index} data-state={state} />
          ))}
        </div>
      )}
    </div>
  )
}

type DayFactProps = {
  term: string
  day: BusinessDay
  hasDistance: boolean
  /** Why it is not sooner. */
  condition?: string
  tone?: 'warn'
}

function DayFact({ term, day, hasDistance, condition, tone }: DayFactProps) {
  const left = useRelativeDay(day)
  const hint = [hasDistance && left, condition].filter(Boolean).join('; ')
  return (
    <Fact term={term} {...(hint !== '' && { hint })} {...(tone && { tone })}>
      <DateTime value={day} />
    </Fact>
  )
}
