import { POOL_WORDING } from '../../features/admin-claim-pool/claim-pool.texts.ts'
import { ClaimPoolPanel } from '../../features/admin-claim-pool/claim-pool-panel.tsx'
import { useLanguage } from '../../shared/i18n/texts.ts'
import { AdminPage } from '../admin-page.tsx'

export function AdminClaimPoolPage() {
  useLanguage()
  return (
    <AdminPage title={POOL_WORDING.title}>
      <ClaimPoolPanel />
    </AdminPage>
  )
}
