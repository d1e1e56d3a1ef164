import { Outlet } from 'react-router'
import { TxProvider } from '../shared/tx/tx-provider.tsx'

/** Pages with money actions share one overlay, which stays up while the user moves between them. */
export function TxArea() {
  return (
    <TxProvider>
      <Outlet />
    </TxProvider>
  )
}
