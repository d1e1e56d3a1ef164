import { useQuery } from '@tanstack/react-query'
import { useTexts } from '../../shared/i18n/texts.ts'
import { UNKNOWN } from '../../shared/lib/unknown.ts'
import { Amount } from '../../shared/ui/amount.tsx'
import { LoadFailed } from '../../shared/ui/load-failed.tsx'
import { dashboardStatsQuery } from './admin-stats.api.ts'
import { STATS_WORDING, statsTexts } from './admin-stats.texts.ts'
import './stat-cards.css'

/** The five totals. Those of a failed load are shown as unknown; the summary offers to try again. */
export function StatCards() {
  const text = useTexts(statsTexts)
  const { data, isPending } = useQuery(dashboardStatsQuery)
  const stats = [
    [STATS_WORDING.users, data?.total_users ?? UNKNOWN],
    [STATS_WORDING.plans, data?.total_plans ?? UNKNOWN],
    [STATS_WORDING.transactions, data?.total_transactions ?? UNKNOWN],
    [STATS_WORDING.earnings, <Amount key="earnings" value={data?.total_earnings} />],
    [STATS_WORDING.claims, <Amount key="claims" value={data?.total_claims} />],
  ] as const
  return (
    <dl className="stat-cards" aria-label={text('totals')} aria-busy={isPending}>
      {stats.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{isPending ? <span className="skeleton skeleton--line" /> : value}</dd>
        </div>
      ))}
    </dl>
  )
}

/** The same totals in a sentence. */
export function StatsSummary() {
  const text = useTexts(statsTexts)
  const { data, isPending, refetch } = useQuery(dashboardStatsQuery)
  if (isPending) return <span className="skeleton skeleton--line" aria-busy="true" />
  if (data === undefined) {
    return <LoadFailed onRetry={() => void refetch()}>{text('summaryUnknown')}</LoadFailed>
  }
  return (
    <p className="panel">
      {text('summary', {
        users: data.total_users,
        plans: data.total_plans,
        transactions: data.total_transactions,
        earnings: data.total_earnings,
        claims: data.total_claims,
      })}
    </p>
  )
}
