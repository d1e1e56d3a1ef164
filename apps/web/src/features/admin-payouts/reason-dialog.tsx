import { type FormEvent, type PropsWithChildren, useId, useState } from 'react'
import { useTexts } from '../../shared/i18n/texts.ts'
import { Dialog } from '../../shared/ui/dialog.tsx'
import { payoutTexts } from './admin-payouts.texts.ts'

type ReasonDialogProps = PropsWithChildren<{
  title: string
  label: string
  confirm: string
  /** Why it could not be done; shown at the field. */
  problem: string | undefined
  isBusy: boolean
  onClose(): void
  onConfirm(reason: string): void
}>

const MAX_REASON = 300

/** Asks for a reason before an act. */
export function ReasonDialog(props: ReasonDialogProps) {
  const { title, label, confirm, isBusy, onClose, onConfirm, children } = props
  const text = useTexts(payoutTexts)
  const id = useId()
  const [reason, setReason] = useState('')
  const [isMissing, setIsMissing] = useState(false)
  const problem = isMissing ? text('reasonMissing') : props.problem
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (reason.trim() === '') return setIsMissing(true)
    onConfirm(reason.trim())
  }
  return (
    <Dialog title={title} onClose={onClose}>
      <form className="stack" onSubmit={submit} noValidate>
        {children}
        <div className="field">
          <label className="field__label" htmlFor={id}>
            {label}
          </label>
          <input
            id={id}
            className="input"
            maxLength={MAX_REASON}
            value={reason}
            aria-invalid={problem !== undefined}
            aria-describedby={problem === undefined ? undefined : `${id}-problem`}
            onChange={(event) => {
              setReason(event.target.value)
              setIsMissing(false)
            }}
          />
          {problem !== undefined && (
            <p id={`${id}-problem`} className="field__error" role="alert">
              {problem}
            </p>
          )}
        </div>
        <div className="dialog__actions">
          <button type="button" className="button button--quiet" onClick={onClose}>
            {text('cancel')}
          </button>
          <button type="submit" className="button" disabled={isBusy}>
            {confirm}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
