import { RECORD_WORDING } from '../../features/admin-records/admin-records.texts.ts'
import { ClaimHistoryPanel } from '../../features/admin-records/claim-history-panel.tsx'
import { Page } from '../../shared/ui/page.tsx'

export function AdminClaimHistoryPage() {
  return (
    <Page title={RECORD_WORDING.claims}>
      <ClaimHistoryPanel />
    </Page>
  )
}
