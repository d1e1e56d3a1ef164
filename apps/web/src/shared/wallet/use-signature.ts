import { useEffect, useRef, useState } from 'react'
import { WalletError } from '../chain/wallet-error.ts'
import { useWallet } from '../chain/wallet-provider.tsx'

/**
 * Has the wallet sign messages for something that the user asked for on this screen. Cancelling, or leaving the screen,
 * ends the wait at once, and a signature that comes later is not used.
 */
export function useSignature() {
  const wallet = useWallet()
  const [isAsking, setIsAsking] = useState(false)
  const asked = useRef<AbortController>(undefined)
  const isLeft = useRef(false)
  useEffect(() => {
    isLeft.current = false
    return () => {
      isLeft.current = true
      asked.current?.abort()
    }
  }, [])

  /** @throws WalletError, `cancelled` if nobody waits for the signature any more */
  const sign = async (text: string): Promise<string> => {
    if (isLeft.current) throw new WalletError('cancelled')
    const started = new AbortController()
    asked.current = started
    setIsAsking(true)
    try {
      return await wallet.signMessage(text, started.signal)
    } finally {
      setIsAsking(false)
    }
  }
  return { sign, isAsking, cancel: () => asked.current?.abort() }
}
