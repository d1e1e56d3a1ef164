import { I18nProvider } from '@lingui/react'
import { QueryClientProvider } from '@tanstack/react-query'
import { useState } from 'react'
import { BrowserRouter } from 'react-router'
import { createQueryClient } from '../shared/api/query-client.ts'
import { WalletProvider } from '../shared/chain/wallet-provider.tsx'
import { i18n } from '../shared/i18n/texts.ts'
import { SessionProvider } from '../shared/session/session.tsx'
import { CrashBoundary } from './crash-boundary.tsx'
import { AppRoutes } from './routes.tsx'

export function App() {
  const [queryClient] = useState(createQueryClient)
  return (
    <I18nProvider i18n={i18n}>
      <CrashBoundary>
        <QueryClientProvider client={queryClient}>
          <SessionProvider>
            <WalletProvider>
              <BrowserRouter>
                <AppRoutes />
              </BrowserRouter>
            </WalletProvider>
          </SessionProvider>
        </QueryClientProvider>
      </CrashBoundary>
    </I18nProvider>
  )
}
