import { useQuery } from '@tanstack/react-query'
import { type ReactNode, Suspense } from 'react'
import { MyEarningsPanel } from '../../features/my-earnings/my-earnings-panel.tsx'
import { OVERVIEW_WORDING, overviewTexts } from '../../features/overview/overview.texts.ts'
import { earningsQueries } from '../../shared/api/earnings.api.ts'
import { FIRST_EARNINGS } from '../../shared/api/first-calls.ts'
import { useTexts } from '../../shared/i18n/texts.ts'
import { canJoinAnother, isFollowing } from '../../shared/lib/earning-status.ts'
import { useTabParam } from '../../shared/lib/use-tab-param.ts'
import { lazyPart } from '../../shared/ui/lazy-part.tsx'
import { Tabs } from '../../shared/ui/tabs.tsx'

/** Loaded when shown: holders who follow a plan never see the first, and most visits never open the second. */
const JoinPlanPanel = lazyPart(
  async () => (await import('../../features/join-plan/join-plan-panel.tsx')).JoinPlanPanel,
)

const ClaimPanel = lazyPart(
  async () => (await import('../../features/claims/claim-panel.tsx')).ClaimPanel,
)

const TABS = [
  { id: 'earnings', content: <MyEarningsPanel /> },
  { id: 'join', content: <LazyTab panel={<JoinPlanPanel />} /> },
  { id: 'claim', content: <LazyTab panel={<ClaimPanel />} /> },
] as const

/**
 * The dashboard's tabs. Joining is offered only once it is known that no plan is followed. A user whose plan has ended
 * can get there from that earning; the tab is then shown as long as it is open.
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

function LazyTab({ panel }: { panel: ReactNode }) {
  return (
    <Suspense fallback={<span className="skeleton skeleton--block" aria-busy="true" />}>
      {panel}
    </Suspense>
  )
}
