import { peek, peekText } from '../../lib/peek.ts'
import { lendStorage } from '../../storage/lend-storage.ts'
import { deviceMemory } from '../../storage/memory.ts'
import type { FoundWallet } from '../found-wallet.ts'
import { browserNode } from './browser-node.ts'
import { remoteWallet } from './remote-wallet.ts'

export type RemoteSettings = {
  /** A node for browsers. */
  fullHost: string
  /** The product's network, as 0x and 8 digits. */
  chainId: string
  brand: string
  origin: string
  /** Null if the operator has not configured WalletConnect. */
  walletConnectProjectId: string | null
}

type Page = EventTarget & { navigator?: { userAgent: string } }

/**
 * The wallets that are not in the page but can be used from this browser. MetaMask is added through `onMetaMask` once
 * it has announced itself.
 */
export function remoteWallets(
  page: Page,
  settings: RemoteSettings,
  onMetaMask: (wallet: FoundWallet) => void,
): FoundWallet[] {
  const { fullHost, chainId, walletConnectProjectId: projectId } = settings
  const node = browserNode(fullHost)
  const wallets: FoundWallet[] = []
  if (projectId !== null) {
    wallets.push(
      remoteWallet({
        id: 'walletconnect',
        name: 'WalletConnect',
        node,
        async load() {
          lendStorage()
          const { walletConnectConnection } = await import('./walletconnect-connection.ts')
          return walletConnectConnection({ ...settings, projectId, memory: deviceMemory })
        },
      }),
    )
  }
  if (page.navigator && 'hid' in page.navigator) {
    wallets.push(
      remoteWallet({
        id: 'ledger',
        name: 'Ledger',
        node,
        async load() {
          const { ledgerConnection } = await import('./ledger-connection.ts')
          return ledgerConnection(deviceMemory)
        },
      }),
    )
  }
  whenMetaMaskIsThere(page, () =>
    onMetaMask(
      remoteWallet({
        id: 'metamask',
        name: 'MetaMask',
        node,
        async load() {
          lendStorage()
          const { metaMaskConnection } = await import('./metamask-connection.ts')
          return metaMaskConnection(chainId)
        },
      }),
    ),
  )
  return wallets
}

/** MetaMask announces itself as a wallet of other chains (EIP-6963); its Tron accounts are requested separately. */
function whenMetaMaskIsThere(page: Page, then: () => void): void {
  const stop = new AbortController()
  const onAnnounce = (event: Event) => {
    const rdns = peekText(peek(peek(event, 'detail'), 'info'), 'rdns')
    if (!rdns?.startsWith('io.metamask')) return
    stop.abort()
    then()
  }
  page.addEventListener('eip6963:announceProvider', onAnnounce, { signal: stop.signal })
  page.dispatchEvent(new Event('eip6963:requestProvider'))
}
