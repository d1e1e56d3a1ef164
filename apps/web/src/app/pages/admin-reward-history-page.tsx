import { RECORD_WORDING } from '../../features/admin-records/admin-records.texts.ts'
import { RewardHistoryPanel } from '../../features/admin-records/reward-history-panel.tsx'
import { useLanguage } from '../../shared/i18n/texts.ts'
import { Page } from '../../shared/ui/page.tsx'

export function AdminRewardHistoryPage() {
  useLanguage()
  return (
    <Page title={RECORD_WORDING.rewards} size="wide">
      <RewardHistoryPanel />
    </Page>
  )
}
