import { ApprovalsPanel } from '../../features/admin-approvals/approvals-panel.tsx'
import { FindCase } from '../../features/admin-case/find-case.tsx'
import { DailyClosePanel } from '../../features/admin-daily-close/daily-close-panel.tsx'
import { TermsPanel } from '../../features/admin-terms/terms-panel.tsx'
import { useTexts } from '../../shared/i18n/texts.ts'
import { AdminTabsPage } from '../admin-tabs-page.tsx'
import { frameTexts } from '../frame.texts.ts'
import { controlTexts } from './admin-control-page.texts.ts'

const TABS = [
  { id: 'approvals', content: <ApprovalsPanel />, kinds: ['approvals'] },
  { id: 'cases', content: <FindCase /> },
  { id: 'close', content: <DailyClosePanel /> },
  { id: 'terms', content: <TermsPanel /> },
] as const

/** Where admins check one another's actions and the books. */
export function AdminControlPage() {
  const text = useTexts(controlTexts)
  const title = useTexts(frameTexts)('control')
  return <AdminTabsPage title={title} tabs={TABS.map((tab) => ({ ...tab, name: text(tab.id) }))} />
}
