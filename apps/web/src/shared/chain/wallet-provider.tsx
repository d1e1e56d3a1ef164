import type { ConfigReply } from '@dct/api-contract/config'
import {
  createContext,
  type PropsWithChildren,
  useContext,
  useEffect,
  useMemo,
  useSyncExternalStore,
} from 'react'
import { usePublicConfig } from '../config/public-config.ts'
import { deviceMemory } from '../storage/memory.ts'
import { isDevelopmentWalletChosen, startDevelopmentWallet } from './development-wallet.ts'
import type { WalletWindow } from './injected.ts'
import { type WalletState, WalletStore } from './wallet-store.ts'

const store = new WalletStore(window as unknown as WalletWindow, deviceMemory)
const OPERATIONS = {
  connect: store.connect,
  accountOfPress: store.accountOfPress,
  signMessage: store.signMessage,
  signTransaction: store.signTransaction,
  node: store.node,
  extraSigningMs: store.extraSigningMs,
  switchNetwork: store.switchNetwork,
}

export type Wallet = WalletState &
  typeof OPERATIONS & {
    /** Loads the development wallet into the page; defined only when the installation is in devnet mode. */
    loadDevelopmentWallet: (() => void) | undefined
  }

const WalletContext = createContext<Wallet | undefined>(undefined)

/** Searches for wallets while mounted, and provides the chosen wallet's state to its children. */
export function WalletProvider({ children }: PropsWithChildren) {
  useEffect(() => store.start(), [])
  const state = useSyncExternalStore(store.subscribe, store.getState)
  const config = usePublicConfig()
  const isDevnet = config?.is_devnet ?? false
  useEffect(() => {
    // Without their code, the wallets in the page remain.
    if (config) offerRemoteWallets(config).catch(reportError)
  }, [config])
  useEffect(() => {
    if (isDevnet && isDevelopmentWalletChosen()) loadDevelopmentWallet()
  }, [isDevnet])
  const wallet = useMemo<Wallet>(
    () => ({
      ...state,
      ...OPERATIONS,
      loadDevelopmentWallet: isDevnet ? loadDevelopmentWallet : undefined,
    }),
    [state, isDevnet],
  )
  return <WalletContext value={wallet}>{children}</WalletContext>
}

let areOffered = false

/** The settings do not change while the page is open. */
async function offerRemoteWallets(config: ConfigReply): Promise<void> {
  if (areOffered) return
  areOffered = true
  const { remoteWallets } = await import('./remote/remote-wallets.ts')
  const { tron, brand, origin, walletconnect_project_id } = config
  const settings = {
    fullHost: tron.full_host,
    chainId: `0x${tron.chain_id.toString(16)}`,
    brand,
    origin,
    walletConnectProjectId: walletconnect_project_id,
  }
  store.offer(...remoteWallets(window, settings, store.offer))
}

function loadDevelopmentWallet(): void {
  void store.expect(startDevelopmentWallet())
}

/** The browser's wallet: its status, its address, and its operations, which fail with a `WalletError`. */
export function useWallet(): Wallet {
  const wallet = useContext(WalletContext)
  if (!wallet) throw new Error('useWallet needs a WalletProvider')
  return wallet
}
