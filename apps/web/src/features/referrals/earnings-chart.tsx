import type { EarningsSpan, ReferralEarningsReply } from '@dct/api-contract/referrals'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTexts } from '../../shared/i18n/texts.ts'
import { addDecimals } from '../../shared/lib/decimal.ts'
import { Amount } from '../../shared/ui/amount.tsx'
import { AmountChart } from '../../shared/ui/chart/amount-chart.tsx'
import { NotLoaded } from '../../shared/ui/not-loaded.tsx'
import { QuietButton } from '../../shared/ui/quiet-button.tsx'
import { StaleCallout } from '../../shared/ui/stale-callout.tsx'
import { referralQueries } from './referrals.api.ts'
import { REFERRAL_WORDING, referralTexts } from './referrals.texts.ts'

type Period = ReferralEarningsReply['periods'][number]
const SPANS: readonly EarningsSpan[] = ['day', 'month']
const SPAN_TEXTS = { day: 'lastDays', month: 'lastMonths' } as const

/** The user's referral earnings over time, by kind. */
export function EarningsChart() {
  const text = useTexts(referralTexts)
  const [by, setBy] = useState<EarningsSpan>('day')
  const earnings = useQuery(referralQueries.earnings(by))
  return (
    <div className="stack">
      <fieldset className="row choice-row">
        <legend className="visually-hidden">{text('span')}</legend>
        {SPANS.map((span) => (
          <QuietButton key={span} aria-pressed={by === span} onClick={() => setBy(span)}>
            {text(SPAN_TEXTS[span])}
          </QuietButton>
        ))}
      </fieldset>
      <StaleCallout query={earnings} />
      {earnings.data === undefined && (
        <NotLoaded query={earnings}>{REFERRAL_WORDING.rewardsFailed}</NotLoaded>
      )}
      {earnings.data && <Chart periods={earnings.data.periods} />}
    </div>
  )
}

function Chart({ periods }: { periods: readonly Period[] }) {
  const text = useTexts(referralTexts)
  const total = periods.reduce(
    (sum, { direct, indirect }) => addDecimals(sum, addDecimals(direct, indirect)),
    '0',
  )
  return (
    <>
      <p>
        {text('earnedTogether')} <Amount value={total} unit="USDT" />
      </p>
      <AmountChart
        title={text('overTime')}
        unit="USDT"
        shape="bars"
        days={periods.map(({ start }) => start)}
        series={[
          {
            name: REFERRAL_WORDING.directRewards,
            tone: 'usdt',
            values: periods.map(({ direct }) => direct),
          },
          {
            name: REFERRAL_WORDING.nonFeeReferral,
            tone: 'ink',
            values: periods.map(({ indirect }) => indirect),
          },
        ]}
        tableLabel={text('asTable')}
        dayLabel={text('from')}
      />
    </>
  )
}
