import { useTexts } from '../i18n/texts.ts'
import { useCopy } from '../lib/use-copy.ts'
import { CheckIcon, CopyIcon } from './icons.tsx'
import { toast } from './toast-store.ts'
import { uiTexts } from './ui.texts.ts'

type CopyButtonProps = {
  value: string
  /** The button's label, e.g. "Copy Link". */
  label: string
  /** Shows only the icon; the label remains its accessible name. */
  iconOnly?: boolean
  onCopied?: () => void
}

/** Copies a text; the icon turns into a tick, and screen readers announce it. */
export function CopyButton({ value, label, iconOnly = false, onCopied }: CopyButtonProps) {
  const text = useTexts(uiTexts)
  const { isCopied, copy } = useCopy()
  const copyValue = () => {
    copy(value).then(onCopied, () => toast.error(text('copyFailed')))
  }
  return (
    <button
      type="button"
      className={iconOnly ? 'icon-button icon-button--small' : 'button button--quiet button--small'}
      aria-label={iconOnly ? label : undefined}
      title={iconOnly ? label : undefined}
      onClick={copyValue}
    >
      {isCopied ? <CheckIcon className="icon--good" /> : <CopyIcon />}
      {!iconOnly && label}
      <span className="visually-hidden" aria-live="polite">
        {isCopied ? text('copied') : ''}
      </span>
    </button>
  )
}
