import { POOL_WORDING } from '../../features/admin-claim-pool/claim-pool.texts.ts'
import { ClaimPoolPanel } from '../../features/admin-claim-pool/claim-pool-panel.tsx'
import { AdminPage } from '../admin-page.tsx'

export function AdminClaimPoolPage() {
  return (
    <AdminPage title={POOL_WORDING.title}>
      <ClaimPoolPanel />
    </AdminPage>
  )
}
