import { useQuery } from '@tanstack/react-query'
import { earningsQueries } from '../../shared/api/earnings.api.ts'
import { FIRST_EARNINGS } from '../../shared/api/first-calls.ts'
import { useTexts } from '../../shared/i18n/texts.ts'
import { canJoinAnother } from '../../shared/lib/earning-status.ts'
import { NotLoaded } from '../../shared/ui/not-loaded.tsx'
import { StaleCallout } from '../../shared/ui/stale-callout.tsx'
import { useErrorToast } from '../../shared/ui/use-error-toast.ts'
import { EarningCard } from './earning-card.tsx'
import { EARNINGS_WORDING, earningsTexts } from './my-earnings.texts.ts'

/** The user's earnings, one card each. */
export function MyEarningsPanel() {
  const text = useTexts(earningsTexts)
  const earnings = useQuery(earningsQueries.list(FIRST_EARNINGS))
  useErrorToast(earnings.error, EARNINGS_WORDING.listFailed)

  if (earnings.data === undefined) {
    return <NotLoaded query={earnings}>{text('listFailed')}</NotLoaded>
  }
  const rows = earnings.data.earnings
  return (
    <>
      <StaleCallout query={earnings} />
      {rows.length === 0 && <p className="panel empty">{text('noEarnings')}</p>}
      <ul className="earnings">
        {rows.map((earning) => (
          <li key={earning.id}>
            <EarningCard earning={earning} canJoinAnother={canJoinAnother(rows)} />
          </li>
        ))}
      </ul>
    </>
  )
}
