import { useQuery } from '@tanstack/react-query'
import { ClaimPanel } from '../../features/claims/claim-panel.tsx'
import { JoinPlanPanel } from '../../features/join-plan/join-plan-panel.tsx'
import { MyEarningsPanel } from '../../features/my-earnings/my-earnings-panel.tsx'
import { overviewTexts } from '../../features/overview/overview.texts.ts'
import { earningsQueries, FIRST_EARNINGS } from '../../shared/api/earnings.api.ts'
import { useTexts } from '../../shared/i18n/texts.ts'
import { isFollowing } from '../../shared/lib/earning-status.ts'
import { useTabParam } from '../../shared/lib/use-tab-param.ts'
import { type Tab, Tabs } from '../../shared/ui/tabs.tsx'

const EARNINGS: Tab = { id: 'earnings', name: 'My Earnings', content: <MyEarningsPanel /> }
const JOIN: Tab = { id: 'join', name: 'Join Earning Plan', content: <JoinPlanPanel /> }
const CLAIM: Tab = { id: 'claim', name: 'Claim Reward', content: <ClaimPanel /> }

/** The dashboard's tabs. Joining is offered only once it is known that no plan is followed. */
export function DashboardTabs() {
  const text = useTexts(overviewTexts)
  const earnings = useQuery(earningsQueries.list(FIRST_EARNINGS)).data?.earnings
  const canJoin = earnings !== undefined && !isFollowing(earnings)
  const tabs = canJoin ? [EARNINGS, JOIN, CLAIM] : [EARNINGS, CLAIM]
  const [active, choose] = useTabParam(tabs.map(({ id }) => id))
  return (
    <section id="plans" className="anchor">
      <Tabs label={text('plans')} tabs={tabs} active={active} onChange={choose} />
    </section>
  )
}
