import {
  createContext,
  type PropsWithChildren,
  useContext,
  useEffect,
  useMemo,
  useSyncExternalStore,
} from 'react'
import { usePublicConfig } from '../config/public-config.ts'
import { isDevelopmentWalletChosen, startDevelopmentWallet } from './development-wallet.ts'
import type { WalletWindow } from './injected.ts'
import { type WalletState, WalletStore } from './wallet-store.ts'

export type Wallet = WalletState &
  Pick<WalletStore, 'connect' | 'signMessage' | 'signTransaction' | 'tronWeb' | 'switchNetwork'> & {
    /** Loads the development wallet into the page; defined only when the installation is in devnet mode. */
    loadDevelopmentWallet: (() => void) | undefined
  }

const WalletContext = createContext<Wallet | undefined>(undefined)
const store = new WalletStore(window as unknown as WalletWindow, localStorage)

/** Searches for wallets while mounted, and provides the chosen wallet's state to its children. */
export function WalletProvider({ children }: PropsWithChildren) {
  useEffect(() => store.start(), [])
  const state = useSyncExternalStore(store.subscribe, store.getState)
  const isDevnet = usePublicConfig()?.is_devnet ?? false
  useEffect(() => {
    if (isDevnet && isDevelopmentWalletChosen()) loadDevelopmentWallet()
  }, [isDevnet])
  const wallet = useMemo<Wallet>(() => {
    const { connect, signMessage, signTransaction, tronWeb, switchNetwork } = store
    return {
      ...state,
      connect,
      signMessage,
      signTransaction,
      tronWeb,
      switchNetwork,
      loadDevelopmentWallet: isDevnet ? loadDevelopmentWallet : undefined,
    }
  }, [state, isDevnet])
  return <WalletContext value={wallet}>{children}</WalletContext>
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
