import type { EarningsSpan, ReferralEarningsReply } from '@dct/api-contract/referrals'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTexts } from '../../shared/i18n/texts.ts'
import { formatDate } from '../../shared/lib/date.ts'
import { addDecimals, compareDecimals, shareOf } from '../../shared/lib/decimal.ts'
import { Amount } from '../../shared/ui/amount.tsx'
import { LoadFailed } from '../../shared/ui/load-failed.tsx'
import { referralQueries } from './referrals.api.ts'
import { REFERRAL_WORDING, referralTexts } from './referrals.texts.ts'
import './earnings-chart.css'

type Period = ReferralEarningsReply['periods'][number]
const SPANS: readonly EarningsSpan[] = ['day', 'month']
const SPAN_TEXTS = { day: 'lastDays', month: 'lastMonths' } as const
const HEIGHT = 160
/** Of the room that a period has. */
const BAR = 0.7

/** What the user earned over time, by kind. */
export function EarningsChart() {
  const text = useTexts(referralTexts)
  const [by, setBy] = useState<EarningsSpan>('day')
  const earnings = useQuery(referralQueries.earnings(by))
  return (
    <div className="stack">
      <fieldset className="row earnings-chart__spans">
        <legend className="visually-hidden">{text('span')}</legend>
        {SPANS.map((span) => (
          <button
            key={span}
            type="button"
            className="button button--quiet button--small"
            aria-pressed={by === span}
            onClick={() => setBy(span)}
          >
            {text(SPAN_TEXTS[span])}
          </button>
        ))}
      </fieldset>
      {earnings.isPending && <span className="skeleton skeleton--block" aria-busy="true" />}
      {earnings.isError && (
        <LoadFailed onRetry={() => void earnings.refetch()}>
          {REFERRAL_WORDING.rewardsFailed}
        </LoadFailed>
      )}
      {earnings.data && <Chart periods={earnings.data.periods} />}
    </div>
  )
}

function Chart({ periods }: { periods: readonly Period[] }) {
  const text = useTexts(referralTexts)
  const sums = periods.map(({ direct, indirect }) => addDecimals(direct, indirect))
  const highest = sums.reduce((most, sum) => (compareDecimals(sum, most) > 0 ? sum : most), '0')
  const total = sums.reduce((all, sum) => addDecimals(all, sum), '0')
  return (
    <figure className="earnings-chart">
      <figcaption className="stack stack--tight">
        <p>
          {text('earnedTogether')} <Amount value={total} unit="USDT" />
        </p>
        <ul className="earnings-chart__legend">
          <li data-kind="direct">{REFERRAL_WORDING.directRewards}</li>
          <li data-kind="indirect">{REFERRAL_WORDING.nonFeeReferral}</li>
        </ul>
      </figcaption>
      <p className="soft small" aria-hidden="true">
        {text('highest')} <Amount value={highest} unit="USDT" />
      </p>
      <svg className="earnings-chart__plot" aria-hidden="true" width="100%" height={HEIGHT}>
        {periods.map((period, at) => (
          <Bar key={period.start} period={period} highest={highest} at={at} of={periods.length} />
        ))}
      </svg>
      <p className="earnings-chart__ends soft small" aria-hidden="true">
        <span>{formatDate(periods[0]?.start ?? '')}</span>
        <span>{formatDate(periods.at(-1)?.start ?? '')}</span>
      </p>
      <details>
        <summary>{text('asTable')}</summary>
        <Figures periods={periods} />
      </details>
    </figure>
  )
}

type BarProps = { period: Period; highest: string; at: number; of: number }

function Bar({ period, highest, at, of }: BarProps) {
  const direct = shareOf(period.direct, highest) * HEIGHT
  const indirect = shareOf(period.indirect, highest) * HEIGHT
  const place = {
    x: `${(((at + (1 - BAR) / 2) * 100) / of).toFixed(3)}%`,
    width: `${((BAR * 100) / of).toFixed(3)}%`,
  }
  return (
    <>
      <rect {...place} data-kind="direct" y={HEIGHT - direct} height={direct} />
      <rect {...place} data-kind="indirect" y={HEIGHT - direct - indirect} height={indirect} />
    </>
  )
}

function Figures({ periods }: { periods: readonly Period[] }) {
  const text = useTexts(referralTexts)
  return (
    <table className="earnings-chart__table">
      <caption className="visually-hidden">{text('overTime')}</caption>
      <thead>
        <tr>
          <th scope="col">{text('from')}</th>
          <th scope="col">{REFERRAL_WORDING.directRewards}</th>
          <th scope="col">{REFERRAL_WORDING.nonFeeReferral}</th>
        </tr>
      </thead>
      <tbody>
        {periods.map(({ start, direct, indirect }) => (
          <tr key={start}>
            <th scope="row">{formatDate(start)}</th>
            <td>
              <Amount value={direct} />
            </td>
            <td>
              <Amount value={indirect} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
