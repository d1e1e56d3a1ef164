import { RECORD_WORDING } from '../../features/admin-records/admin-records.texts.ts'
import { ClaimHistoryPanel } from '../../features/admin-records/claim-history-panel.tsx'
import { useLanguage } from '../../shared/i18n/texts.ts'
import { AdminPage } from '../admin-page.tsx'

export function AdminClaimHistoryPage() {
  useLanguage()
  return (
    <AdminPage title={RECORD_WORDING.claims}>
      <ClaimHistoryPanel />
    </AdminPage>
  )
}
