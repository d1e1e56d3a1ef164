import { I18nProvider } from '@lingui/react'
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { BrowserRouter } from 'react-router'
import { WalletProvider } from '../shared/chain/wallet-provider.tsx'
import { i18n } from '../shared/i18n/texts.ts'
import { SessionProvider } from '../shared/session/session.tsx'
import { CrashBoundary } from './crash-boundary.tsx'
import { AppRoutes } from './routes.tsx'
import { SettledNavigation } from './settled-navigation.tsx'

type AppProps = { queryClient: QueryClient; onCrash: CrashBoundary['props']['onCrash'] }

export function App({ queryClient, onCrash }: AppProps) {
  return (
    <I18nProvider i18n={i18n}>
      <CrashBoundary onCrash={onCrash}>
        <QueryClientProvider client={queryClient}>
          <SessionProvider>
            <WalletProvider>
              <BrowserRouter>
                <SettledNavigation>
                  <AppRoutes />
                </SettledNavigation>
              </BrowserRouter>
            </WalletProvider>
          </SessionProvider>
        </QueryClientProvider>
      </CrashBoundary>
    </I18nProvider>
  )
}
