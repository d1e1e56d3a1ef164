import { POOL_WORDING } from '../../features/admin-claim-pool/claim-pool.texts.ts'
import { ClaimPoolPanel } from '../../features/admin-claim-pool/claim-pool-panel.tsx'
import { Page } from '../../shared/ui/page.tsx'

export function AdminClaimPoolPage() {
  return (
    <Page title={POOL_WORDING.title}>
      <ClaimPoolPanel />
    </Page>
  )
}
