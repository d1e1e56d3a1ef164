import { useEffect, useRef, useState } from 'react'
import { apiTexts } from '../api/api.texts.ts'
import { isOffline } from '../api/connection.ts'
import { useWallet } from '../chain/wallet-provider.tsx'
import { useTexts } from '../i18n/texts.ts'
import { useOnce } from '../lib/use-once.ts'
import { toast } from '../ui/toast-store.ts'

/**
 * Runs the actions of buttons that need the wallet's account. A press right after the page has opened waits for the
 * wallet of an earlier visit, no longer than `accountOfPress` allows; meanwhile `isWaiting` is true and further presses
 * are ignored. A press that was dropped, or whose page was left, does nothing.
 */
export function useWalletPress() {
  const text = useTexts(apiTexts)
  const { isRestoring, accountOfPress } = useWallet()
  const [isWaiting, setIsWaiting] = useState(false)
  const isDropped = useRef(false)
  const drop = () => {
    isDropped.current = true
  }
  useEffect(
    () => () => {
      isDropped.current = true
    },
    [],
  )

  const press = useOnce(async (act: (account: string | undefined) => unknown) => {
    isDropped.current = false
    // Offline, no wallet can be restored, and nothing may be sent later.
    if (isRestoring && isOffline()) return toast.error(text('offlineUnsent'))
    setIsWaiting(isRestoring)
    const account = await accountOfPress()
    setIsWaiting(false)
    if (!isDropped.current) await act(account)
  })
  return { isWaiting, press, drop }
}
