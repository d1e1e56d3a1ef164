import { ApprovalsPanel } from '../../features/admin-approvals/approvals-panel.tsx'
import { FindCase } from '../../features/admin-case/find-case.tsx'
import { DailyClosePanel } from '../../features/admin-daily-close/daily-close-panel.tsx'
import { TermsPanel } from '../../features/admin-terms/terms-panel.tsx'
import { useTexts } from '../../shared/i18n/texts.ts'
import { useTabParam } from '../../shared/lib/use-tab-param.ts'
import { Tabs } from '../../shared/ui/tabs.tsx'
import { AdminPage } from '../admin-page.tsx'
import { useWaitingOnTabs } from '../admin-waiting/use-waiting-on-tabs.ts'
import { frameTexts } from '../frame.texts.ts'
import { controlTexts } from './admin-control-page.texts.ts'

const PANELS = {
  approvals: <ApprovalsPanel />,
  cases: <FindCase />,
  close: <DailyClosePanel />,
  terms: <TermsPanel />,
} as const
const IDS = ['approvals', 'cases', 'close', 'terms'] as const
const WAITING = { approvals: ['approvals'] } as const

/** Where admins check one another's actions and the books. */
export function AdminControlPage() {
  const text = useTexts(controlTexts)
  const title = useTexts(frameTexts)('control')
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
