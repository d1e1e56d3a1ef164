import { Outlet } from 'react-router'
import { ConsentArea } from '../features/terms-consent/consent-area.tsx'
import { TxProvider } from '../shared/tx/tx-provider.tsx'

/**
 * Pages with money actions share one overlay, which stays up while the user moves between them, and the dialog of consent
 * to new terms. On the admins' pages their own dialog of confirmation, which is inside, takes its place.
 */
export function TxArea() {
  return (
    <TxProvider>
      <ConsentArea />
      <Outlet />
    </TxProvider>
  )
}
