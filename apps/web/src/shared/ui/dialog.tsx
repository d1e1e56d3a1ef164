import { Dialog as Radix } from 'radix-ui'
import type { PropsWithChildren } from 'react'
import { useTexts } from '../i18n/texts.ts'
import { CloseIcon } from './icons.tsx'
import { uiTexts } from './ui.texts.ts'
import './dialog.css'

type DialogProps = PropsWithChildren<{
  title: string
  onClose(): void
  /** `wide` for tables. */
  size?: 'normal' | 'wide'
}>

/**
 * A modal dialog; render it to open it. Its scrim is a plain element, because Radix' own overlay
 * injects a style sheet, which the content security policy refuses.
 */
export function Dialog({ title, onClose, size = 'normal', children }: DialogProps) {
  const text = useTexts(uiTexts)
  return (
    <Radix.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Radix.Portal>
        <div className="dialog-scrim" data-holds-page>
          <Radix.Content
            className="dialog"
            data-size={size}
            aria-describedby={undefined}
            onInteractOutside={(event) => {
              if (isToast(event.target)) event.preventDefault()
            }}
          >
            <header className="dialog__head">
              <Radix.Title className="dialog__title">{title}</Radix.Title>
              <Radix.Close className="icon-button" aria-label={text('close')}>
                <CloseIcon />
              </Radix.Close>
            </header>
            <div className="dialog__body">{children}</div>
          </Radix.Content>
        </div>
      </Radix.Portal>
    </Radix.Root>
  )
}

/** Dismissing a toast must not close the dialog behind it. By now the toast may be out of the page. */
function isToast(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('[data-toast]') !== null
}
