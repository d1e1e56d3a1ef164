import type { EarningProgress } from '@dct/api-contract/claims'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import type { Earning } from '../../shared/api/earnings.api.ts'
import { useBusinessNow } from '../../shared/config/business-time.ts'
import { useGraceCycles } from '../../shared/config/grace-cycles.ts'
import { useTexts } from '../../shared/i18n/texts.ts'
import { shownDate } from '../../shared/lib/date.ts'
import { isPositive } from '../../shared/lib/decimal.ts'
import { NotLoaded } from '../../shared/ui/not-loaded.tsx'
import { nextDeadline } from './deadline.ts'
import { progressQuery } from './my-earnings.api.ts'
import { earningsTexts } from './my-earnings.texts.ts'
import { pictureOf, upToNow } from './progress-picture.ts'
import './progress-section.css'
import { lazyPart } from '../../shared/ui/lazy-part.tsx'

const ProgressChart = lazyPart(async () => (await import('./progress-chart.tsx')).ProgressChart)

/** The earning's history as a chart and in words, fetched when it is opened. */
export function ProgressSection({ earning }: { earning: Earning }) {
  const text = useTexts(earningsTexts)
  const [isOpen, setIsOpen] = useState(false)
  return (
    <details className="progress-section" onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary>{text('picTitle')}</summary>
      {isOpen && <Progress earning={earning} />}
    </details>
  )
}

function Progress({ earning }: { earning: Earning }) {
  const text = useTexts(earningsTexts)
  const progress = useQuery(progressQuery(earning))
  const now = useBusinessNow()
  const grace = useGraceCycles()
  const [isWhole, setIsWhole] = useState(false)
  if (progress.data === undefined) {
    return <NotLoaded query={progress}>{text('picFailed')}</NotLoaded>
  }
  const picture = pictureOf(progress.data)
  const recent = upToNow(picture)
  const deadline = nextDeadline(earning, { now, grace })?.at
  const credited = picture.credited.at(-1)?.amount ?? '0'
  const claimed = picture.claimed.at(-1)?.amount ?? '0'
  const label = text('picLabel', {
    plan: earning.earning_plan_code,
    credited,
    whole: picture.whole,
    claimed,
    frozen: picture.frozenDays,
    lost: picture.lostAmount,
  })
  return (
    <div className="stack">
      <Suspense fallback={<span className="skeleton skeleton--block" aria-busy="true" />}>
        <ProgressChart picture={isWhole ? picture : recent} label={label} deadline={deadline} />
      </Suspense>
      {recent !== picture && (
        <p>
          <button type="button" className="text-button small" onClick={() => setIsWhole(!isWhole)}>
            {text(isWhole ? 'picRecent' : 'picWhole')}
          </button>
        </p>
      )}
      <InWords progress={progress.data} />
    </div>
  )
}

function InWords({ progress }: { progress: EarningProgress }) {
  const text = useTexts(earningsTexts)
  return (
    <ul className="progress-section__words small" aria-label={text('picWords')}>
      {progress.stretches.map((stretch) => (
        <li key={stretch.first_cycle}>
          {text(wordsFor(stretch), {
            from: shownDate(stretch.first_day),
            to: shownDate(stretch.last_day),
            first: stretch.first_cycle,
            last: stretch.last_cycle,
            amount: stretch.amount,
          })}
        </li>
      ))}
      {progress.claims.map((claim) => (
        <li key={claim.code_claim}>
          {text('picClaim', {
            day: shownDate(claim.claim_day),
            type: claim.claim_type,
            first: claim.first_cycle,
            last: claim.last_cycle,
            amount: claim.claimed_amount,
            state: text(CLAIM_STATES[claim.state]),
          })}
        </li>
      ))}
      {progress.stretches.length === 0 && <li>{text('picNothing')}</li>}
    </ul>
  )
}

const CLAIM_STATES = {
  awaiting_fee: 'awaitingFee',
  paid: 'paid',
  cancelled: 'cancelled',
  lapsed: 'lapsed',
} as const

function wordsFor(stretch: EarningProgress['stretches'][number]) {
  if (stretch.is_lapsed && isPositive(stretch.amount)) return 'picStretchLost'
  return stretch.is_frozen ? 'picStretchFrozen' : 'picStretch'
}
