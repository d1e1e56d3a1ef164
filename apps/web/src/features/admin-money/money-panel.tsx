import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { useTexts } from '../../shared/i18n/texts.ts'
import { lazyPart } from '../../shared/ui/lazy-part.tsx'
import { LoadFailed } from '../../shared/ui/load-failed.tsx'
import { StaleNotice } from '../../shared/ui/stale-notice.tsx'
import { moneyQueries } from './admin-money.api.ts'
import { moneyTexts } from './admin-money.texts.ts'
import { MoneyWarnings } from './money-warnings.tsx'
import { CostFacts, DctFacts, FundsFacts, PlanFacts, UsdtFacts } from './position-facts.tsx'

const MoneyCharts = lazyPart(async () => (await import('./money-charts.tsx')).MoneyCharts)

/** What is owed, the funds available to pay it, and what is running out. */
export function MoneyPanel() {
  const text = useTexts(moneyTexts)
  const money = useQuery(moneyQueries.now)
  if (money.data === undefined) {
    return money.isError ? (
      <LoadFailed onRetry={() => void money.refetch()}>{text('loadFailed')}</LoadFailed>
    ) : (
      <span className="skeleton skeleton--block" aria-busy="true" />
    )
  }
  const { dct, usdt, funds, costs, warnings } = money.data
  const pool = funds.find(({ name }) => name === 'reward_pool')
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
      <section className="panel" aria-label={text('funds')}>
        <h2>{text('funds')}</h2>
        {funds.length === 0 ? (
          <p className="soft">{text('noFunds')}</p>
        ) : (
          <FundsFacts funds={funds} />
        )}
      </section>
      <section className="panel" aria-label={text('costs')}>
        <h2>{text('costs')}</h2>
        <CostFacts costs={costs} />
      </section>
      <Suspense fallback={<span className="skeleton skeleton--block" aria-busy="true" />}>
        <MoneyCharts planCodes={dct.plans.map(({ plan_code }) => plan_code)} />
      </Suspense>
    </div>
  )
}
