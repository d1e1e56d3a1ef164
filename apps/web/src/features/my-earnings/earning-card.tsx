import { useId, useState } from 'react'
import { Link } from 'react-router'
import type { Earning } from '../../shared/api/earnings.api.ts'
import { useBusinessNow } from '../../shared/config/business-time.ts'
import { useTexts } from '../../shared/i18n/texts.ts'
import { isPositive } from '../../shared/lib/decimal.ts'
import {
  canClaimCapital,
  type EarningStatus,
  earningStatus,
} from '../../shared/lib/earning-status.ts'
import { Amount } from '../../shared/ui/amount.tsx'
import { Callout } from '../../shared/ui/callout.tsx'
import { DateTime } from '../../shared/ui/date-time.tsx'
import { Fact } from '../../shared/ui/fact.tsx'
import { QuietButton } from '../../shared/ui/quiet-button.tsx'
import { CalendarButton } from './calendar-button.tsx'
import { ClaimCapital } from './claim-capital.tsx'
import { ClaimStrip } from './claim-strip.tsx'
import { EarlyClaims } from './early-claims.tsx'
import { FreezeCallout } from './freeze-callout.tsx'
import { ClaimHistoryDialog, RewardHistoryDialog } from './history-dialogs.tsx'
import { EARNINGS_WORDING, earningsTexts } from './my-earnings.texts.ts'
import { NextLine } from './next-line.tsx'
import { ProgressSection } from './progress-section.tsx'
import { RewardProgress } from './reward-progress.tsx'
import './earning-card.css'

/** Each status's colour and the wording that names it. */
const STATUSES = {
  Active: ['good', 'Active'],
  Freeze: ['warn', 'Freeze'],
  'Failed to confirm hash': ['bad', 'hashFailed'],
  'Waiting for hash confirmation': [undefined, 'hashWaiting'],
  Deactive: [undefined, 'Deactive'],
} as const satisfies Record<EarningStatus, readonly [string | undefined, string]>

type EarningCardProps = {
  earning: Earning
  /** This holder's capital is no longer locked anywhere. */
  canJoinAnother: boolean
}

/** One earning: what is locked, what it has yielded, and what to do next. */
export function EarningCard({ earning, canJoinAnother }: EarningCardProps) {
  const text = useTexts(earningsTexts)
  const now = useBusinessNow()
  const headingId = useId()
  const [tone, status] = STATUSES[earningStatus(earning, now)]
  const isConfirmed = earning.is_hash_confirmed === 'SUCCESS'
  return (
    <article className="panel earning" aria-labelledby={headingId}>
      <header className="panel__head">
        <div className="row">
          <h3 id={headingId}>{earning.earning_plan_code}</h3>
          <span className="badge" data-tone={tone}>
            {EARNINGS_WORDING[status]}
          </span>
        </div>
        <p className="soft small">
          {text('until')} <DateTime value={earning.end_date} />
        </p>
      </header>
      <dl className="facts facts--rows">
        <Fact term={text('runningAmount')}>
          <Amount value={earning.total_locked_amount} unit="DCT" />
        </Fact>
        {isConfirmed && <RewardFacts earning={earning} />}
      </dl>
      {earning.failure_reason && <Callout tone="bad">{earning.failure_reason}</Callout>}
      <NextLine earning={earning} />
      {isConfirmed && (
        <>
          <ClaimStrip earning={earning} />
          <FreezeCallout earning={earning} />
          <RewardProgress shared={earning.total_shared_reward} whole={earning.total_reward} />
          <EarlyClaims planCode={earning.earning_plan_code} />
          <ProgressSection earning={earning} />
          <div className="row earning__actions">
            {canClaimCapital(earning, now) && <ClaimCapital earning={earning} />}
            {canJoinAnother && (
              <Link className="button button--small button--dct" to="?tab=join#plans">
                {text('joinAnother')}
              </Link>
            )}
            <HistoryButtons earning={earning} />
            <CalendarButton earning={earning} />
          </div>
        </>
      )}
    </article>
  )
}

function RewardFacts({ earning }: { earning: Earning }) {
  const text = useTexts(earningsTexts)
  return (
    <>
      <Fact term={text('ongoingReward')}>
        <Amount value={earning.total_shared_reward} unit="DCT" />
      </Fact>
      <Fact term={text('claimableReward')}>
        <Amount className="earning__main" value={earning.total_unclaimed} unit="DCT" />
      </Fact>
      {isPositive(earning.total_lapsed) && (
        <Fact term={text('lapsed')}>
          <Amount value={earning.total_lapsed} unit="DCT" />
        </Fact>
      )}
    </>
  )
}

function HistoryButtons({ earning }: { earning: Earning }) {
  const [open, setOpen] = useState<'rewards' | 'claims'>()
  const close = () => setOpen(undefined)
  return (
    <>
      <QuietButton onClick={() => setOpen('rewards')}>
        {EARNINGS_WORDING.distributionHistory}
      </QuietButton>
      <QuietButton onClick={() => setOpen('claims')}>{EARNINGS_WORDING.claimHistory}</QuietButton>
      {open === 'rewards' && <RewardHistoryDialog earning={earning} onClose={close} />}
      {open === 'claims' && <ClaimHistoryDialog earning={earning} onClose={close} />}
    </>
  )
}
