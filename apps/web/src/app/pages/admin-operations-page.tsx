import { HealthPanel } from '../../features/admin-health/health-panel.tsx'
import { LogPanel } from '../../features/admin-log/log-panel.tsx'
import { MaintenancePanel } from '../../features/admin-maintenance/maintenance-panel.tsx'
import { MoneyPanel } from '../../features/admin-money/money-panel.tsx'
import { PaymentsPanel } from '../../features/admin-payments/payments-panel.tsx'
import { PayoutsPanel } from '../../features/admin-payouts/payouts-panel.tsx'
import { PricePanel } from '../../features/admin-price/price-panel.tsx'
import { useTexts } from '../../shared/i18n/texts.ts'
import { AdminTabsPage } from '../admin-tabs-page.tsx'
import { frameTexts } from '../frame.texts.ts'
import { operationsTexts } from './admin-operations-page.texts.ts'

const HEALTH = (
  <div className="stack">
    <HealthPanel />
    <MaintenancePanel />
  </div>
)
const TABS = [
  { id: 'money', content: <MoneyPanel />, kinds: ['funds'] },
  { id: 'payments', content: <PaymentsPanel />, kinds: ['payments'] },
  { id: 'payouts', content: <PayoutsPanel />, kinds: ['payouts'] },
  { id: 'health', content: HEALTH, kinds: ['alarms'] },
  { id: 'log', content: <LogPanel /> },
  { id: 'price', content: <PricePanel />, kinds: ['price', 'proposal'] },
] as const

/** Everything needed to run the service. */
export function AdminOperationsPage() {
  const text = useTexts(operationsTexts)
  const title = useTexts(frameTexts)('operations')
  return <AdminTabsPage title={title} tabs={TABS.map((tab) => ({ ...tab, name: text(tab.id) }))} />
}
