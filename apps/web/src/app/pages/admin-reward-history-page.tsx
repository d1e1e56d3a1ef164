import { RECORD_WORDING } from '../../features/admin-records/admin-records.texts.ts'
import { RewardHistoryPanel } from '../../features/admin-records/reward-history-panel.tsx'
import { useLanguage } from '../../shared/i18n/texts.ts'
import { AdminPage } from '../admin-page.tsx'

export function AdminRewardHistoryPage() {
  useLanguage()
  return (
    <AdminPage title={RECORD_WORDING.rewards}>
      <RewardHistoryPanel />
    </AdminPage>
  )
}
