import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { useTexts } from '../../shared/i18n/texts.ts'
import { LoadFailed } from '../../shared/ui/load-failed.tsx'
import { StaleNotice } from '../../shared/ui/stale-notice.tsx'
import { moneyQueries } from './admin-money.api.ts'
import { moneyTexts } from './admin-money.texts.ts'
import { MoneyWarnings } from './money-warnings.tsx'
import { DctFacts, MeansFacts, PlanFacts, UsdtFacts } from './position-facts.tsx'

const MoneyCharts = lazy(async () => ({
  default: (await import('./money-charts.tsx')).MoneyCharts,
}))

/** What is owed, what there is to pay it with, and what runs dry. */
export function MoneyPanel() {
  const text = useTexts(moneyTexts)
  const money = useQuery(moneyQueries.now)
  if (money.data === undefined) {
    return money.isError ? (
      <LoadFailed onRetry={() => void money.refetch()}>{text('loadFailed')}</LoadFailed>
    ) : (
      <span className="skeleton skeleton--block" />
    )
  }
  const { dct, usdt, means, warnings } = money.data
  const pool = means.find(({ name }) => name === 'reward_pool')
  return (
    <div className="stack">
      <StaleNotice query={money} />
      <MoneyWarnings warnings={warnings} />
      <section className="panel" aria-label={text('owedDct')}>
        <h2>{text('owedDct')}</h2>
        <DctFacts figures={dct.total} poolOnChain={pool?.amount ?? null} />
        <PlanFacts plans={dct.plans} />
      </section>
      <section className="panel" aria-label={text('owedUsdt')}>
        <h2>{text('owedUsdt')}</h2>
        <UsdtFacts figures={usdt} />
      </section>
      <section className="panel" aria-label={text('means')}>
        <h2>{text('means')}</h2>
        <MeansFacts means={means} />
      </section>
      <Suspense fallback={<span className="skeleton skeleton--block" aria-busy="true" />}>
        <MoneyCharts planCodes={dct.plans.map(({ plan_code }) => plan_code)} />
      </Suspense>
    </div>
  )
}
