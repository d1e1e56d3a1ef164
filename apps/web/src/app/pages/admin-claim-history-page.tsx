import { RECORD_WORDING } from '../../features/admin-records/admin-records.texts.ts'
import { ClaimHistoryPanel } from '../../features/admin-records/claim-history-panel.tsx'
import { useLanguage } from '../../shared/i18n/texts.ts'
import { Page } from '../../shared/ui/page.tsx'

export function AdminClaimHistoryPage() {
  useLanguage()
  return (
    <Page title={RECORD_WORDING.claims} size="wide">
      <ClaimHistoryPanel />
    </Page>
  )
}
