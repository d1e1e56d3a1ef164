import { useEffect, useRef, useState } from 'react'
import type { ConnectGuide, DeviceAccount } from '../chain/found-wallet.ts'
import { toWalletError } from '../chain/wallet-error.ts'
import { useWallet } from '../chain/wallet-provider.tsx'
import { useAction } from '../lib/use-once.ts'
import { toast } from '../ui/toast-store.ts'

/** What the user must do outside the page before a wallet is connected. */
export type ConnectHelp =
  | { name: 'link'; uri: string }
  | {
      name: 'device'
      /** Reads the device's next accounts, from this index. @throws WalletError */
      read(from: number): Promise<DeviceAccount[]>
      choose(account: DeviceAccount): void
    }
  | { name: 'accounts'; addresses: readonly string[]; choose(address: string): void }

/** Connects wallets, with the user's help where needed. Cancelling, or leaving the page, aborts the attempt. */
export function useGuidedConnect(onConnected: () => void = () => undefined) {
  const wallet = useWallet()
  const [help, setHelp] = useState<ConnectHelp>()
  const attempt = useRef<AbortController>(undefined)
  useEffect(() => () => attempt.current?.abort(), [])

  const connection = useAction({
    async mutationFn(walletId: string | undefined) {
      const started = new AbortController()
      attempt.current = started
      try {
        await wallet.connect(walletId, guideOf(started.signal, setHelp))
        onConnected()
      } catch (thrown) {
        if (!started.signal.aborted) throw thrown
      } finally {
        setHelp(undefined)
      }
    },
    onError: (thrown) => toast.error(toWalletError(thrown).message),
  })

  return {
    connect: connection.mutate,
    isConnecting: connection.isPending,
    connecting: connection.isPending ? connection.variables : undefined,
    help,
    giveUp: () => attempt.current?.abort(),
  }
}

function guideOf(signal: AbortSignal, show: (help: ConnectHelp) => void): ConnectGuide {
  return {
    signal,
    showLink: (uri) => show({ name: 'link', uri }),
    chooseAccount: (read) =>
      new Promise((choose) => {
        show({ name: 'device', read, choose })
      }),
    pickAccount: (addresses) =>
      new Promise((choose) => {
        show({ name: 'accounts', addresses, choose })
      }),
  }
}
