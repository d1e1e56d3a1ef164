import { RECORD_WORDING } from '../../features/admin-records/admin-records.texts.ts'
import { RewardHistoryPanel } from '../../features/admin-records/reward-history-panel.tsx'
import { Page } from '../../shared/ui/page.tsx'

export function AdminRewardHistoryPage() {
  return (
    <Page title={RECORD_WORDING.rewards}>
      <RewardHistoryPanel />
    </Page>
  )
}
