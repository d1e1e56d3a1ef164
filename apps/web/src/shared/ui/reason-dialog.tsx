import { LONGEST_REASON } from '@dct/rules/constants'
import { type FormEvent, type PropsWithChildren, useState } from 'react'
import { useTexts } from '../i18n/texts.ts'
import { CheckedField } from './checked-field.tsx'
import { CancelButton, Dialog } from './dialog.tsx'
import { uiTexts } from './ui.texts.ts'

type ReasonDialogProps = PropsWithChildren<{
  title: string
  label: string
  confirm: string
  /** Why the action failed; shown at the field. */
  problem: string | undefined
  isBusy: boolean
  onClose(): void
  onConfirm(reason: string): void
}>

/** Asks for a reason, or for a hash, before an action; the action is disabled until it is entered. */
export function ReasonDialog(props: ReasonDialogProps) {
  const { title, label, confirm, problem, isBusy, onClose, onConfirm, children } = props
  const text = useTexts(uiTexts)
  const [reason, setReason] = useState('')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onConfirm(reason.trim())
  }
  return (
    <Dialog title={title} onClose={onClose} isBusy={isBusy}>
      <form className="stack" onSubmit={submit} noValidate>
        {children}
        <CheckedField
          label={label}
          autoComplete="on"
          maxLength={LONGEST_REASON}
          value={reason}
          problem={problem}
          onType={setReason}
        />
        <div className="dialog__actions">
          <CancelButton>{text('cancel')}</CancelButton>
          <button type="submit" className="button" disabled={isBusy || reason.trim() === ''}>
            {confirm}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
