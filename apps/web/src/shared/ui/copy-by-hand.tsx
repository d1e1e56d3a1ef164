import { useEffect, useRef } from 'react'
import { useTexts } from '../i18n/texts.ts'
import { Dialog } from './dialog.tsx'
import { uiTexts } from './ui.texts.ts'

type CopyByHandProps = { title: string; value: string; onClose(): void }

/** Shows a text selected, for browsers that do not let the page copy it. */
export function CopyByHand({ title, value, onClose }: CopyByHandProps) {
  const text = useTexts(uiTexts)
  const field = useRef<HTMLTextAreaElement>(null)
  useEffect(() => field.current?.select(), [])
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{text('copyByHand')}</p>
      <textarea
        ref={field}
        className="input code"
        translate="no"
        aria-label={title}
        rows={3}
        readOnly
        autoFocus
        value={value}
        onFocus={(event) => event.target.select()}
      />
    </Dialog>
  )
}
