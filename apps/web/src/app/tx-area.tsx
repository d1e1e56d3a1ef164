import { Outlet } from 'react-router'
import { ConsentArea } from '../features/terms-consent/consent-area.tsx'
import { TxProvider } from '../shared/tx/tx-provider.tsx'

/**
 * Pages with money actions share one overlay, which stays open while the user moves between them, and the dialog for
 * consent to new terms. On admin pages, the nested dialog for a fresh signature replaces the latter.
 */
export function TxArea() {
  return (
    <TxProvider>
      <ConsentArea />
      <Outlet />
    </TxProvider>
  )
}
