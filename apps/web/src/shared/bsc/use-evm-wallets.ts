import { useEffect, useState } from 'react'
import { type EvmWallet, type EvmWindow, watchEvmWallets } from './evm-wallets.ts'

/** The BSC wallets in this browser; empty if there are none. */
export function useEvmWallets(): readonly EvmWallet[] {
  const [wallets, setWallets] = useState<readonly EvmWallet[]>([])
  useEffect(() => watchEvmWallets(window as unknown as EvmWindow, setWallets), [])
  return wallets
}
