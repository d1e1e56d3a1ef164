import { RECORD_WORDING } from '../../features/admin-records/admin-records.texts.ts'
import { RewardHistoryPanel } from '../../features/admin-records/reward-history-panel.tsx'
import { AdminPage } from '../admin-page.tsx'

export function AdminRewardHistoryPage() {
  return (
    <AdminPage title={RECORD_WORDING.rewards}>
      <RewardHistoryPanel />
    </AdminPage>
  )
}
