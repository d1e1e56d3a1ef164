import { useQuery } from '@tanstack/react-query'
import { useTexts } from '../../shared/i18n/texts.ts'
import { lazyPart } from '../../shared/ui/lazy-part.tsx'
import { NotLoaded } from '../../shared/ui/not-loaded.tsx'
import { Panel } from '../../shared/ui/panel.tsx'
import { StaleCallout } from '../../shared/ui/stale-callout.tsx'
import { WhenSeen } from '../../shared/ui/when-seen.tsx'
import { moneyQueries } from './admin-money.api.ts'
import { moneyTexts } from './admin-money.texts.ts'
import { MoneyWarnings } from './money-warnings.tsx'
import { PlanBars } from './plan-bars.tsx'
import { PlanMatrix } from './plan-matrix.tsx'
import { CostFacts, FundsFacts, UsdtFacts } from './position-facts.tsx'

const MoneyCharts = lazyPart(async () => (await import('./money-charts.tsx')).MoneyCharts)

/** What is owed, the funds available to pay it, and what is running out. */
export function MoneyPanel() {
  const text = useTexts(moneyTexts)
  const money = useQuery(moneyQueries.now)
  if (money.data === undefined) {
    return <NotLoaded query={money}>{text('loadFailed')}</NotLoaded>
  }
  const { dct, usdt, funds, costs, warnings } = money.data
  const pool = funds.find(({ name }) => name === 'reward_pool')
  return (
    <div className="stack">
      <StaleCallout query={money} />
      <MoneyWarnings warnings={warnings} />
      <Panel title={text('owedDct')}>
        <PlanBars plans={dct.plans} />
        <PlanMatrix dct={dct} poolOnChain={pool?.amount ?? null} />
      </Panel>
      <Panel title={text('owedUsdt')}>
        <UsdtFacts figures={usdt} />
      </Panel>
      <Panel title={text('funds')}>
        {funds.length === 0 ? (
          <p className="soft">{text('noFunds')}</p>
        ) : (
          <FundsFacts funds={funds} />
        )}
      </Panel>
      <Panel title={text('costs')}>
        <CostFacts costs={costs} />
      </Panel>
      <WhenSeen>
        <MoneyCharts kind="all" planCodes={dct.plans.map(({ plan_code }) => plan_code)} />
      </WhenSeen>
    </div>
  )
}
