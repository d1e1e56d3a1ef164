import { useQuery } from '@tanstack/react-query'
import { useTexts } from '../../shared/i18n/texts.ts'
import { lazyPart } from '../../shared/ui/lazy-part.tsx'
import { NotLoaded } from '../../shared/ui/not-loaded.tsx'
import { Panel } from '../../shared/ui/panel.tsx'
import { WhenSeen } from '../../shared/ui/when-seen.tsx'
import { moneyQueries } from './admin-money.api.ts'
import { moneyTexts } from './admin-money.texts.ts'
import { PlanBars } from './plan-bars.tsx'

const MoneyCharts = lazyPart(async () => (await import('./money-charts.tsx')).MoneyCharts)

/** Where each plan's funds are, and what moved day by day. */
export function MoneyMoves() {
  const text = useTexts(moneyTexts)
  const money = useQuery(moneyQueries.now)
  if (money.data === undefined) {
    return <NotLoaded query={money}>{text('loadFailed')}</NotLoaded>
  }
  const { plans } = money.data.dct
  return (
    <>
      <Panel title={text('planFunds')}>
        <PlanBars plans={plans} />
      </Panel>
      <WhenSeen>
        <MoneyCharts kind="moves" planCodes={plans.map(({ plan_code }) => plan_code)} />
      </WhenSeen>
    </>
  )
}
