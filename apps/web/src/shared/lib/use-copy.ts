import { useEffect, useState } from 'react'

const CONFIRMED_MS = 2_000

/**
 * Copies a text to the clipboard; `isCopied` is true for the next two seconds. Rejects where the browser forbids it.
 */
export function useCopy(): { isCopied: boolean; copy(text: string): Promise<void> } {
  const [copies, setCopies] = useState(0)
  const [isCopied, setIsCopied] = useState(false)

  useEffect(() => {
    if (copies === 0) return undefined
    const timer = setTimeout(() => setIsCopied(false), CONFIRMED_MS)
    return () => clearTimeout(timer)
  }, [copies])

  return {
    isCopied,
    async copy(text) {
      await navigator.clipboard.writeText(text)
      setCopies((count) => count + 1)
      setIsCopied(true)
    },
  }
}
