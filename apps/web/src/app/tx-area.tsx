import { Outlet } from 'react-router'
import { TxProvider } from '../shared/tx/tx-provider.tsx'

/** Pages on which money moves share one waiting overlay, which stays while they change. */
export function TxArea() {
  return (
    <TxProvider>
      <Outlet />
    </TxProvider>
  )
}
