import { ClaimPoolBlock } from '../../features/referrals/claim-pool-block.tsx'
import { DownlineBlock } from '../../features/referrals/downline-block.tsx'
import { ReferralLink } from '../../features/referrals/referral-link.tsx'
import { referralTexts } from '../../features/referrals/referrals.texts.ts'
import { RewardsBlock } from '../../features/referrals/rewards-block.tsx'
import { SummaryBlock } from '../../features/referrals/summary-block.tsx'
import { useTexts } from '../../shared/i18n/texts.ts'
import { Page } from '../../shared/ui/page.tsx'
import '../../features/referrals/referrals.css'

export function ReferralsPage() {
  const text = useTexts(referralTexts)
  return (
    <Page title={text('title')} lead={text('lead')} size="dense">
      <ReferralLink />
      <DownlineBlock />
      <RewardsBlock />
      <SummaryBlock />
      <ClaimPoolBlock />
    </Page>
  )
}
