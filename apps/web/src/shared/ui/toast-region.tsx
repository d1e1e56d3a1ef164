import { useEffect, useState, useSyncExternalStore } from 'react'
import { useTexts } from '../i18n/texts.ts'
import { CheckIcon, CloseIcon, InfoIcon, WarningIcon } from './icons.tsx'
import { type ToastItem, toastStore } from './toast-store.ts'
import { uiTexts } from './ui.texts.ts'
import './toast-region.css'

const SHOWN_MS = 3_000
const ICONS = { success: CheckIcon, error: WarningIcon, warning: WarningIcon, info: InfoIcon }

/**
 * The toast area. It is always in the page, because screen readers announce only changes to an existing live region.
 */
export function ToastRegion() {
  const text = useTexts(uiTexts)
  const items = useSyncExternalStore(toastStore.subscribe, toastStore.get)
  return (
    <section className="toasts" aria-label={text('notifications')}>
      <ol className="toasts__list" aria-live="polite">
        {items.map((item) => (
          <Toast key={item.id} item={item} />
        ))}
      </ol>
    </section>
  )
}

function Toast({ item }: { item: ToastItem }) {
  const text = useTexts(uiTexts)
  const Icon = ICONS[item.tone]
  // Toasts stay open while the pointer or the focus is on them.
  const [isHeld, setIsHeld] = useState(false)
  useEffect(() => {
    if (isHeld) return undefined
    const timer = setTimeout(() => toastStore.dismiss(item.id), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [item.id, isHeld])
  return (
    <li
      className="toast"
      data-toast
      data-tone={item.tone}
      onPointerEnter={() => setIsHeld(true)}
      onPointerLeave={() => setIsHeld(false)}
      onFocus={() => setIsHeld(true)}
      onBlur={() => setIsHeld(false)}
    >
      <Icon className="toast__icon" />
      <span className="toast__text">{item.text}</span>
      <button
        type="button"
        className="icon-button icon-button--small"
        aria-label={text('dismiss')}
        onClick={() => toastStore.dismiss(item.id)}
      >
        <CloseIcon />
      </button>
    </li>
  )
}
