import { DailyClosePanel } from '../../features/admin-daily-close/daily-close-panel.tsx'
import { HealthPanel } from '../../features/admin-health/health-panel.tsx'
import { LogPanel } from '../../features/admin-log/log-panel.tsx'
import { MaintenancePanel } from '../../features/admin-maintenance/maintenance-panel.tsx'
import { MoneyPanel } from '../../features/admin-money/money-panel.tsx'
import { PricePanel } from '../../features/admin-price/price-panel.tsx'
import { WaitingSettings } from '../../features/admin-proposals/proposals-panel.tsx'
import { TermsPanel } from '../../features/admin-terms/terms-panel.tsx'
import { useTexts } from '../../shared/i18n/texts.ts'
import { AdminTabsPage } from '../admin-tabs-page.tsx'
import { frameTexts } from '../frame.texts.ts'
import { controlTexts } from './admin-control-page.texts.ts'

const HEALTH = (
  <div className="stack">
    <HealthPanel />
    <MaintenancePanel />
  </div>
)
const PRICE = (
  <div className="stack">
    <WaitingSettings />
    <PricePanel />
  </div>
)
const TABS = [
  { id: 'money', content: <MoneyPanel />, kinds: ['funds'] },
  { id: 'close', content: <DailyClosePanel /> },
  { id: 'price', content: PRICE, kinds: ['price'] },
  { id: 'terms', content: <TermsPanel /> },
  { id: 'health', content: HEALTH, kinds: ['alarms'] },
  { id: 'log', content: <LogPanel /> },
] as const

/** The service as a whole: its money and books, what it asks of holders, how it runs, and what its admins did. */
export function AdminControlPage() {
  const text = useTexts(controlTexts)
  const title = useTexts(frameTexts)('control')
  return <AdminTabsPage title={title} tabs={TABS.map((tab) => ({ ...tab, name: text(tab.id) }))} />
}
