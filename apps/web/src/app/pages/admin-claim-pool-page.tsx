import { POOL_WORDING } from '../../features/admin-claim-pool/claim-pool.texts.ts'
import { ClaimPoolPanel } from '../../features/admin-claim-pool/claim-pool-panel.tsx'
import { useLanguage } from '../../shared/i18n/texts.ts'
import { Page } from '../../shared/ui/page.tsx'

export function AdminClaimPoolPage() {
  useLanguage()
  return (
    <Page title={POOL_WORDING.title} size="wide">
      <ClaimPoolPanel />
    </Page>
  )
}
