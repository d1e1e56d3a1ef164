import { type QueryClient, useQuery } from '@tanstack/react-query'
import { Suspense, useDeferredValue } from 'react'
import { OpenFees, PaidFees } from '../../features/claim-fees/claim-fees-panel.tsx'
import { FirstReward } from '../../features/first-reward/first-reward.tsx'
import { JoinsInProgress } from '../../features/join-plan/joins-in-progress.tsx'
import { NextStepBanner } from '../../features/next-step/next-step-banner.tsx'
import { overviewTexts } from '../../features/overview/overview.texts.ts'
import { ReferralBlock } from '../../features/overview/referral-block.tsx'
import { WalletBalances } from '../../features/overview/wallet-balances.tsx'
import { claimableQuery } from '../../shared/api/claimable.api.ts'
import { earlyClaimsQuery } from '../../shared/api/early-claims.api.ts'
import { earningsQueries } from '../../shared/api/earnings.api.ts'
import { FIRST_EARNINGS, OPEN_FEES, PAID_FEES } from '../../shared/api/first-calls.ts'
import { pendingFeeQueries } from '../../shared/api/pending-fees.api.ts'
import { useFirstLoad } from '../../shared/api/use-first-load.ts'
import { useTexts } from '../../shared/i18n/texts.ts'
import { shorten } from '../../shared/lib/shorten.ts'
import { useSession } from '../../shared/session/session.tsx'
import { lazyPart } from '../../shared/ui/lazy-part.tsx'
import { LoadFailed } from '../../shared/ui/load-failed.tsx'
import { Page } from '../../shared/ui/page.tsx'
import { SkeletonBlocks } from '../../shared/ui/skeleton-blocks.tsx'
import { DashboardTabs } from './dashboard-tabs.tsx'

const MessagesHint = lazyPart(
  async () => (await import('../../features/messages/messages-hint.tsx')).MessagesHint,
)

/** Loads the figures that the dashboard shows first; its parts retry and report those that fail. */
export async function loadFirstFigures(queryClient: QueryClient): Promise<void> {
  await Promise.all([
    queryClient.prefetchQuery(earningsQueries.list(FIRST_EARNINGS)),
    queryClient.prefetchQuery(claimableQuery),
    queryClient.prefetchQuery(earlyClaimsQuery),
    queryClient.prefetchQuery(pendingFeeQueries.list(OPEN_FEES)),
    queryClient.prefetchQuery(pendingFeeQueries.list(PAID_FEES)),
  ])
}

export function DashboardPage() {
  const text = useTexts(overviewTexts)
  const { user } = useSession()
  const first = useFirstLoad([
    useQuery(earningsQueries.list(FIRST_EARNINGS)),
    useQuery(claimableQuery),
    useQuery(earlyClaimsQuery),
    useQuery(pendingFeeQueries.list(OPEN_FEES)),
    useQuery(pendingFeeQueries.list(PAID_FEES)),
  ])
  // Deferred, so that a slow phone renders all these parts in slices instead of freezing.
  const isLoading = useDeferredValue(first.isLoading)
  return (
    <Page
      title={text('welcome', { address: shorten(user?.tron_address ?? '') })}
      lead={<WalletBalances />}
      size="dense"
    >
      {isLoading ? (
        <SkeletonBlocks />
      ) : first.hasFailed ? (
        <LoadFailed onRetry={first.retry}>{text('failed')}</LoadFailed>
      ) : (
        <Parts />
      )}
    </Page>
  )
}

function Parts() {
  // The upper half is painted first: on a phone the rest is below the screen.
  const isWhole = useDeferredValue(true, false)
  return (
    <>
      <JoinsInProgress />
      <NextStepBanner />
      <OpenFees />
      <FirstReward>
        <Suspense>
          <MessagesHint />
        </Suspense>
      </FirstReward>
      <DashboardTabs />
      {isWhole ? (
        <>
          <PaidFees />
          <ReferralBlock />
        </>
      ) : (
        <span className="skeleton skeleton--block" aria-busy="true" />
      )}
    </>
  )
}
