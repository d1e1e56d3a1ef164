import { MoneyMoves } from '../../features/admin-money/money-moves.tsx'
import { PLAN_WORDING } from '../../features/admin-plans/admin-plans.texts.ts'
import { PlansPanel } from '../../features/admin-plans/plans-panel.tsx'
import { RECORD_WORDING } from '../../features/admin-records/admin-records.texts.ts'
import { TransactionsPanel } from '../../features/admin-records/transactions-panel.tsx'
import { STATS_WORDING } from '../../features/admin-stats/admin-stats.texts.ts'
import { StatCards, StatsSummary } from '../../features/admin-stats/stat-cards.tsx'
import { USER_WORDING } from '../../features/admin-users/admin-users.texts.ts'
import { UserList } from '../../features/admin-users/user-list.tsx'
import { useLanguage } from '../../shared/i18n/texts.ts'
import { useTabParam } from '../../shared/lib/use-tab-param.ts'
import { Page } from '../../shared/ui/page.tsx'
import { type Tab, Tabs } from '../../shared/ui/tabs.tsx'
import { AdminWaiting } from '../admin-waiting/admin-waiting.tsx'
import { FRAME_WORDING } from '../frame.texts.ts'

const STATISTICS = (
  <div className="stack">
    <StatsSummary />
    <MoneyMoves />
  </div>
)

const tabs = (): readonly Tab[] => [
  { id: 'statistics', name: STATS_WORDING.statistics, content: STATISTICS },
  { id: 'users', name: USER_WORDING.users, content: <UserList /> },
  { id: 'transactions', name: RECORD_WORDING.transactions, content: <TransactionsPanel /> },
  { id: 'plans', name: PLAN_WORDING.plans, content: <PlansPanel /> },
]

export function AdminDashboardPage() {
  useLanguage()
  const [active, choose] = useTabParam(tabs().map(({ id }) => id))
  return (
    <Page title={FRAME_WORDING.adminDashboard} size="wide">
      <AdminWaiting />
      <StatCards />
      <Tabs label={FRAME_WORDING.adminDashboard} tabs={tabs()} active={active} onChange={choose} />
    </Page>
  )
}
