import { ClaimPoolBlock, useClaims } from '../../features/referrals/claim-pool-block.tsx'
import { DownlineBlock, useDownline } from '../../features/referrals/downline-block.tsx'
import { ReferralLink } from '../../features/referrals/referral-link.tsx'
import { referralTexts } from '../../features/referrals/referrals.texts.ts'
import { RewardsBlock, useRewards } from '../../features/referrals/rewards-block.tsx'
import { SummaryBlock, useSummary } from '../../features/referrals/summary-block.tsx'
import { useFirstLoad } from '../../shared/api/use-first-load.ts'
import { useTexts } from '../../shared/i18n/texts.ts'
import { LoadFailed } from '../../shared/ui/load-failed.tsx'
import { Page } from '../../shared/ui/page.tsx'
import { SkeletonBlocks } from '../../shared/ui/skeleton-blocks.tsx'
import '../../features/referrals/referrals.css'

export function ReferralsPage() {
  const text = useTexts(referralTexts)
  const loads = [useDownline().result, useRewards().result, useSummary(), useClaims().result]
  const first = useFirstLoad(loads)
  return (
    <Page title={text('title')} lead={text('lead')} size="dense">
      <ReferralLink />
      {first.isLoading ? (
        <SkeletonBlocks />
      ) : first.hasFailed ? (
        <LoadFailed onRetry={first.retry}>{text('failed')}</LoadFailed>
      ) : (
        <>
          <DownlineBlock />
          <RewardsBlock />
          <SummaryBlock />
          <ClaimPoolBlock />
        </>
      )}
    </Page>
  )
}
