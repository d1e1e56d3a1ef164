import './global-buffer.ts'
import { MetaMaskAdapter } from '@tronweb3/tronwallet-adapter-metamask-tron'
import { ADAPTER_EVENTS, ADAPTER_SETTINGS } from '../adapted-kinds.ts'
import { readFailure } from '../read-failure.ts'
import { toWalletError, WalletError } from '../wallet-error.ts'
import { followAll } from '../wallet-events.ts'
import type { RemoteConnection } from './remote-wallet.ts'

/** MetaMask supports only these Tron networks; on any other it signs as on the main network. */
const NETWORKS = new Set(['0x2b6653dc', '0xcd8690dc', '0x94a9059e'])

/** MetaMask, through its maintained adapter. @param chainId the product's network, as 0x and 8 digits */
export async function metaMaskConnection(chainId: string): Promise<RemoteConnection> {
  const adapter = new MetaMaskAdapter(ADAPTER_SETTINGS)
  const connected = async () => {
    if (!adapter.connected) await adapter.connect()
    if (!adapter.address) throw new WalletError('noTronAccount', { wallet: 'MetaMask' })
    if (NETWORKS.has(chainId)) await adapter.switchChain(chainId)
  }
  return {
    address: () => (adapter.connected ? adapter.address : undefined) ?? undefined,
    connect: () => translated(connected),
    signMessage: (text) => translated(() => adapter.signMessage(text)),
    async signTransaction(transaction) {
      const signed = await translated(() => adapter.signTransaction(transaction as never))
      return { ...transaction, signature: signed.signature }
    },
    follow: (onChange) => followAll(adapter, ADAPTER_EVENTS, onChange),
  }
}

/** The adapter wraps MetaMask's own error, and only that one contains the reason. @throws WalletError */
async function translated<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act()
  } catch (thrown) {
    const { name, error = thrown } = (thrown ?? {}) as { name?: unknown; error?: unknown }
    const isMessage = name === 'WalletSignMessageError'
    if (name === 'WalletNotFoundError') throw new WalletError('notInstalled', { cause: thrown })
    if (isMessage && readFailure(error).meaning === 'unsupported') {
      throw new WalletError('cannotSignMessages', { wallet: 'MetaMask', cause: thrown })
    }
    throw toWalletError(error)
  }
}
