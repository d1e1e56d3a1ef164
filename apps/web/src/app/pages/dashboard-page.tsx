import { ClaimFeesPanel } from '../../features/claim-fees/claim-fees-panel.tsx'
import { JoinsInProgress } from '../../features/join-plan/joins-in-progress.tsx'
import { NextStepBanner } from '../../features/next-step/next-step-banner.tsx'
import { overviewTexts } from '../../features/overview/overview.texts.ts'
import { ReferralBlock } from '../../features/overview/referral-block.tsx'
import { WalletBalances } from '../../features/overview/wallet-balances.tsx'
import { useTexts } from '../../shared/i18n/texts.ts'
import { shorten } from '../../shared/lib/shorten.ts'
import { useSession } from '../../shared/session/session.tsx'
import { Page } from '../../shared/ui/page.tsx'
import { DashboardTabs } from './dashboard-tabs.tsx'

export function DashboardPage() {
  const text = useTexts(overviewTexts)
  const { user } = useSession()
  return (
    <Page title={text('welcome', { address: shorten(user?.tron_address ?? '') })}>
      <JoinsInProgress />
      <NextStepBanner />
      <div className="overview">
        <WalletBalances />
        <ReferralBlock />
      </div>
      <DashboardTabs />
      <ClaimFeesPanel />
    </Page>
  )
}
