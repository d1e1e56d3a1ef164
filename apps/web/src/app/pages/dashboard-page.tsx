import { type QueryClient, useQuery } from '@tanstack/react-query'
import { Suspense, useDeferredValue, useState } from 'react'
import { ClaimFeesPanel } from '../../features/claim-fees/claim-fees-panel.tsx'
import { JoinsInProgress } from '../../features/join-plan/joins-in-progress.tsx'
import { earlyClaimsQuery } from '../../features/my-earnings/my-earnings.api.ts'
import { NextStepBanner } from '../../features/next-step/next-step-banner.tsx'
import { overviewTexts } from '../../features/overview/overview.texts.ts'
import { ReferralBlock } from '../../features/overview/referral-block.tsx'
import { WalletBalances } from '../../features/overview/wallet-balances.tsx'
import { claimableQuery } from '../../shared/api/claimable.api.ts'
import { earningsQueries } from '../../shared/api/earnings.api.ts'
import { FIRST_EARNINGS, OPEN_FEES } from '../../shared/api/first-calls.ts'
import { pendingFeeQueries } from '../../shared/api/pending-fees.api.ts'
import { useTexts } from '../../shared/i18n/texts.ts'
import { shorten } from '../../shared/lib/shorten.ts'
import { useSession } from '../../shared/session/session.tsx'
import { deviceMemory } from '../../shared/storage/memory.ts'
import { lazyPart } from '../../shared/ui/lazy-part.tsx'
import { Page } from '../../shared/ui/page.tsx'
import { DashboardTabs } from './dashboard-tabs.tsx'

/** Fetched on an account's first visit only. */
const Guide = lazyPart(async () => (await import('../../features/guide/guide.tsx')).Guide)
const NoticesHint = lazyPart(
  async () => (await import('../../features/notices/notices-hint.tsx')).NoticesHint,
)

/** Loads the figures that the dashboard shows first; its parts retry and report those that fail. */
export async function loadFirstFigures(queryClient: QueryClient): Promise<void> {
  await Promise.all([
    queryClient.prefetchQuery(earningsQueries.list(FIRST_EARNINGS)),
    queryClient.prefetchQuery(claimableQuery),
    queryClient.prefetchQuery(earlyClaimsQuery),
    queryClient.prefetchQuery(pendingFeeQueries.list(OPEN_FEES)),
  ])
}

export function DashboardPage() {
  const text = useTexts(overviewTexts)
  const { user } = useSession()
  // Deferred, so that a slow phone renders all these parts in slices instead of freezing.
  const isLoading = useDeferredValue(useIsFirstLoad())
  return (
    <Page title={text('welcome', { address: shorten(user?.tron_address ?? '') })}>
      {isLoading ? (
        <Skeletons />
      ) : (
        // All parts wait for the guide, so that it does not push them down.
        <Suspense fallback={<Skeletons />}>
          {user?.has_seen_guide === false && <Guide />}
          <Parts />
        </Suspense>
      )}
    </Page>
  )
}

/**
 * Whether the data that decides this page's layout is loading for the first time; rendered piecemeal, it would jump.
 */
function useIsFirstLoad(): boolean {
  const loads = [
    useQuery(earningsQueries.list(FIRST_EARNINGS)),
    useQuery(claimableQuery),
    useQuery(pendingFeeQueries.list(OPEN_FEES)),
  ]
  const isLoading = loads.some((load) => load.isLoading)
  // Failed loads are retried as soon as the parts render; that must not hide the parts again.
  const [isOver, setIsOver] = useState(false)
  if (!isLoading && !isOver) setIsOver(true)
  return isLoading && !isOver
}

function Skeletons() {
  return (
    <div className="stack" aria-busy="true">
      <span className="skeleton skeleton--block" />
      <span className="skeleton skeleton--block" />
    </div>
  )
}

function Parts() {
  // The upper half is painted first: on a phone the rest is below the screen.
  const isWhole = useDeferredValue(true, false)
  return (
    <>
      <JoinsInProgress />
      <NextStepBanner />
      <DashboardTabs />
      {isWhole ? <LowerHalf /> : <span className="skeleton skeleton--block" aria-busy="true" />}
    </>
  )
}

function LowerHalf() {
  const earnings = useQuery(earningsQueries.list(FIRST_EARNINGS)).data?.earnings
  const hasJoined = earnings !== undefined && earnings.length > 0
  const isHinted = hasJoined && deviceMemory.getItem('noticesHint') === null
  return (
    <>
      <ClaimFeesPanel />
      <div className="overview">
        <WalletBalances />
        <ReferralBlock />
      </div>
      {isHinted && (
        <Suspense>
          <NoticesHint />
        </Suspense>
      )}
    </>
  )
}
