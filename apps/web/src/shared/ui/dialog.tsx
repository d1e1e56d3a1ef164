import { Dialog as Radix } from 'radix-ui'
import { createContext, type PropsWithChildren, useContext } from 'react'
import { useTexts } from '../i18n/texts.ts'
import { useBackCloses } from './back-closes.ts'
import { CloseIcon } from './icons.tsx'
import { DialogPortal, DialogRoot } from './radix-dialog.ts'
import { uiTexts } from './ui.texts.ts'
import './dialog.css'

type DialogProps = PropsWithChildren<{
  title: string
  onClose(): void
  /** `wide` for tables. */
  size?: 'normal' | 'wide'
  /**
   * The dialog's request is in flight: it can no longer be cancelled, so the dialog stays open until the answer
   * arrives.
   */
  isBusy?: boolean
}>

const DialogContext = createContext({ isBusy: false, close() {} })

/**
 * A modal dialog; render it to open it. Its scrim is a plain element, because Radix's own overlay injects a style
 * sheet, which the content security policy blocks.
 */
export function Dialog(props: DialogProps) {
  const { title, onClose, size = 'normal', isBusy = false, children } = props
  const text = useTexts(uiTexts)
  const close = () => {
    if (!isBusy) onClose()
  }
  useBackCloses(close)
  return (
    <DialogRoot open onOpenChange={(isOpen) => !isOpen && close()}>
      <DialogPortal>
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
              <Radix.Close className="icon-button" aria-label={text('close')} disabled={isBusy}>
                <CloseIcon />
              </Radix.Close>
            </header>
            <div className="dialog__body">
              <DialogContext value={{ isBusy, close }}>{children}</DialogContext>
            </div>
          </Radix.Content>
        </div>
      </DialogPortal>
    </DialogRoot>
  )
}

/** Closes its dialog without doing anything; disabled while the dialog's request is in flight. */
export function CancelButton({ children }: PropsWithChildren) {
  const { isBusy, close } = useContext(DialogContext)
  return (
    <button type="button" className="button button--quiet" disabled={isBusy} onClick={close}>
      {children}
    </button>
  )
}

/** Dismissing a toast must not close the dialog behind it. The toast may already be out of the DOM. */
function isToast(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('[data-toast]') !== null
}
