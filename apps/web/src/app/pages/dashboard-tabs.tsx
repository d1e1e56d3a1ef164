import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { ClaimPanel } from '../../features/claims/claim-panel.tsx'
import { MyEarningsPanel } from '../../features/my-earnings/my-earnings-panel.tsx'
import { OVERVIEW_WORDING, overviewTexts } from '../../features/overview/overview.texts.ts'
import { earningsQueries, FIRST_EARNINGS } from '../../shared/api/earnings.api.ts'
import { useTexts } from '../../shared/i18n/texts.ts'
import { canJoinAnother, isFollowing } from '../../shared/lib/earning-status.ts'
import { useTabParam } from '../../shared/lib/use-tab-param.ts'
import { lazyPart } from '../../shared/ui/lazy-part.tsx'
import { Tabs } from '../../shared/ui/tabs.tsx'

/** Loaded when shown: whoever follows a plan never sees it. */
const JoinPlanPanel = lazyPart(
  async () => (await import('../../features/join-plan/join-plan-panel.tsx')).JoinPlanPanel,
)

const TABS = [
  { id: 'earnings', content: <MyEarningsPanel /> },
  { id: 'join', content: <JoinTab /> },
  { id: 'claim', content: <ClaimPanel /> },
] as const

/**
 * The dashboard's tabs. Joining is offered only once we know that no plan is followed. A user whose plan has ended can
 * get there from that earning; the tab then shows as long as it is open.
 */
export function DashboardTabs() {
  const text = useTexts(overviewTexts)
  const earnings = useQuery(earningsQueries.list(FIRST_EARNINGS)).data?.earnings
  const canJoin = earnings !== undefined && !isFollowing(earnings)
  const canAskForIt = canJoin || (earnings !== undefined && canJoinAnother(earnings))
  const [active, choose] = useTabParam(
    TABS.map(({ id }) => id).filter((id) => id !== 'join' || canAskForIt),
  )
  const tabs = TABS.filter(({ id }) => id !== 'join' || canJoin || active === 'join').map(
    (tab) => ({ ...tab, name: OVERVIEW_WORDING[tab.id] }),
  )
  return (
    <section id="plans" className="anchor">
      <h2 className="visually-hidden">{text('plans')}</h2>
      <Tabs label={text('plans')} tabs={tabs} active={active} onChange={choose} />
    </section>
  )
}

function JoinTab() {
  return (
    <Suspense fallback={<span className="skeleton skeleton--block" aria-busy="true" />}>
      <JoinPlanPanel />
    </Suspense>
  )
}
