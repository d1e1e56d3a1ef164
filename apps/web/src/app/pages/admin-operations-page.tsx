import { HealthPanel } from '../../features/admin-health/health-panel.tsx'
import { LogPanel } from '../../features/admin-log/log-panel.tsx'
import { MaintenancePanel } from '../../features/admin-maintenance/maintenance-panel.tsx'
import { MoneyPanel } from '../../features/admin-money/money-panel.tsx'
import { PaymentsPanel } from '../../features/admin-payments/payments-panel.tsx'
import { PayoutsPanel } from '../../features/admin-payouts/payouts-panel.tsx'
import { PricePanel } from '../../features/admin-price/price-panel.tsx'
import { useTexts } from '../../shared/i18n/texts.ts'
import { useTabParam } from '../../shared/lib/use-tab-param.ts'
import { Tabs } from '../../shared/ui/tabs.tsx'
import { AdminPage } from '../admin-page.tsx'
import { useWaitingOnTabs } from '../admin-waiting/use-waiting-on-tabs.ts'
import { frameTexts } from '../frame.texts.ts'
import { operationsTexts } from './admin-operations-page.texts.ts'

const PANELS = {
  money: <MoneyPanel />,
  payments: <PaymentsPanel />,
  payouts: <PayoutsPanel />,
  health: (
    <div className="stack">
      <HealthPanel />
      <MaintenancePanel />
    </div>
  ),
  log: <LogPanel />,
  price: <PricePanel />,
} as const
const IDS = ['money', 'payments', 'payouts', 'health', 'log', 'price'] as const
const WAITING = {
  money: ['funds'],
  payments: ['payments'],
  payouts: ['payouts', 'unknownPayouts'],
  health: ['alarms'],
  price: ['price', 'proposal'],
} as const

/** Everything needed to run the service. */
export function AdminOperationsPage() {
  const text = useTexts(operationsTexts)
  const title = useTexts(frameTexts)('operations')
  const waitingOf = useWaitingOnTabs<(typeof IDS)[number]>(WAITING)
  const [active, choose] = useTabParam(IDS)
  const tabs = IDS.map((id) => ({
    id,
    name: text(id),
    content: PANELS[id],
    waiting: waitingOf(id),
  }))
  return (
    <AdminPage title={title}>
      <Tabs label={title} tabs={tabs} active={active} onChange={choose} />
    </AdminPage>
  )
}
