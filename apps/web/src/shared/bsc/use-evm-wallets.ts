import { useEffect, useState } from 'react'
import { type EvmWallet, type EvmWindow, watchEvmWallets } from './evm-wallets.ts'

/** The wallets for BSC in this browser; empty where there is none. */
export function useEvmWallets(): readonly EvmWallet[] {
  const [wallets, setWallets] = useState<readonly EvmWallet[]>([])
  useEffect(() => watchEvmWallets(window as unknown as EvmWindow, setWallets), [])
  return wallets
}
