import { useEffect, useState } from 'react'
import { useTexts } from '../i18n/texts.ts'
import { CheckIcon, CopyIcon } from './icons.tsx'
import { lazyDialog } from './lazy-part.tsx'
import { uiTexts } from './ui.texts.ts'

const CopyByHand = lazyDialog(async () => (await import('./copy-by-hand.tsx')).CopyByHand)

const CONFIRMED_MS = 2_000

type CopyButtonProps = {
  value: string
  /** The button's label, e.g. "Copy Link". */
  label: string
  /** Shows only the icon; the label remains its accessible name. */
  iconOnly?: boolean
  onCopied?: () => void
}

/**
 * Copies a text; the icon turns into a tick for two seconds, and screen readers announce it. Where the browser does not
 * allow it, or knows no clipboard, a dialog shows the text selected.
 */
export function CopyButton({ value, label, iconOnly = false, onCopied }: CopyButtonProps) {
  const text = useTexts(uiTexts)
  const [copies, setCopies] = useState(0)
  const [isCopied, setIsCopied] = useState(false)
  const [isRefused, setIsRefused] = useState(false)
  useEffect(() => {
    if (copies === 0) return undefined
    const timer = setTimeout(() => setIsCopied(false), CONFIRMED_MS)
    return () => clearTimeout(timer)
  }, [copies])
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(value)
    } catch {
      return setIsRefused(true)
    }
    setCopies((count) => count + 1)
    setIsCopied(true)
    onCopied?.()
  }
  return (
    <>
      <button
        type="button"
        className={
          iconOnly ? 'icon-button icon-button--small' : 'button button--quiet button--small'
        }
        aria-label={iconOnly ? label : undefined}
        title={iconOnly ? label : undefined}
        onClick={copy}
      >
        {isCopied ? <CheckIcon className="icon--good" /> : <CopyIcon />}
        {!iconOnly && label}
      </button>
      <span className="visually-hidden" aria-live="polite">
        {isCopied ? text('copied') : ''}
      </span>
      {isRefused && <CopyByHand title={label} value={value} onClose={() => setIsRefused(false)} />}
    </>
  )
}
