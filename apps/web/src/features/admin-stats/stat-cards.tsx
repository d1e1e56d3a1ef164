import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTexts } from '../../shared/i18n/texts.ts'
import { UNKNOWN } from '../../shared/lib/unknown.ts'
import { Amount } from '../../shared/ui/amount.tsx'
import { dashboardStatsQuery } from './admin-stats.api.ts'
import { STATS_WORDING, statsTexts } from './admin-stats.texts.ts'
import './stat-cards.css'

/** The five totals. A failed load shows no message; unknown values are shown as unknown. */
export function StatCards() {
  const text = useTexts(statsTexts)
  const { data, isPending } = useQuery(dashboardStatsQuery)
  return (
    <dl className="stat-cards" aria-label={text('totals')} aria-busy={isPending}>
      <Stat name={STATS_WORDING.users}>{data?.total_users ?? UNKNOWN}</Stat>
      <Stat name={STATS_WORDING.plans}>{data?.total_plans ?? UNKNOWN}</Stat>
      <Stat name={STATS_WORDING.transactions}>{data?.total_transactions ?? UNKNOWN}</Stat>
      <Stat name={STATS_WORDING.earnings}>
        <Amount value={data?.total_earnings} />
      </Stat>
      <Stat name={STATS_WORDING.claims}>
        <Amount value={data?.total_claims} />
      </Stat>
    </dl>
  )
}

function Stat({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

/** The same totals in a sentence. */
export function StatsSummary() {
  const text = useTexts(statsTexts)
  const { data } = useQuery(dashboardStatsQuery)
  return (
    <p className="panel">
      {data === undefined
        ? text('summaryUnknown')
        : text('summary', {
            users: data.total_users,
            plans: data.total_plans,
            transactions: data.total_transactions,
            earnings: data.total_earnings,
            claims: data.total_claims,
          })}
    </p>
  )
}
