import type { UnmatchedPayment } from '@dct/api-contract/claims'
import { findTransactionHash } from '@dct/rules/pasted-text'
import { type FormEvent, useState } from 'react'
import { errorText } from '../../shared/api/api-error.ts'
import { useTexts } from '../../shared/i18n/texts.ts'
import { Amount } from '../../shared/ui/amount.tsx'
import { CheckedField } from '../../shared/ui/checked-field.tsx'
import { CancelButton, Dialog } from '../../shared/ui/dialog.tsx'
import { ExplorerValue } from '../../shared/ui/explorer-value.tsx'
import { Fact } from '../../shared/ui/fact.tsx'
import { toastAndClose } from '../../shared/ui/toast-and-close.ts'
import { useMarkRefunded } from './admin-payments.api.ts'
import { paymentTexts } from './admin-payments.texts.ts'
import { ReturnStep, useReturnStep } from './return-step.tsx'

type MarkRefundedProps = { payment: UnmatchedPayment; onClose(): void }

const MAX_NOTE = 300

/** Asks for the transaction that refunded a payment. */
export function MarkRefunded({ payment, onClose }: MarkRefundedProps) {
  const text = useTexts(paymentTexts)
  const mark = useMarkRefunded()
  const { decision, ...returning } = useReturnStep(payment)
  // The hash of an announced return may be entered by another admin, or on another device.
  const mayBeSent = returning.isBegun || returning.open.length > 0
  const [hash, setHash] = useState('')
  const [note, setNote] = useState('')
  const [problem, setProblem] = useState<string>()
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const digits = findTransactionHash(hash)
    if (digits === undefined) return setProblem(text('refundHashInvalid'))
    const { tx_hash, log_index } = payment
    const refund_tx_hash = `0x${digits}`
    const written = note.trim() === '' ? {} : { note: note.trim() }
    await decision.current?.wasSent(refund_tx_hash)
    mark.mutate(
      { tx_hash, log_index, refund_tx_hash, ...written },
      {
        onSuccess: (reply) => {
          decision.current?.wasRecorded()
          toastAndClose(onClose)(reply)
        },
        onError: (error) => setProblem(errorText(error, text('failed'))),
      },
    )
  }
  return (
    <Dialog title={text('refundTitle')} onClose={onClose} isBusy={mark.isPending}>
      <form className="stack" onSubmit={submit} noValidate>
        <p>{text('refundHint')}</p>
        <dl className="facts">
          <Fact term={text('received')}>
            <Amount value={payment.amount_usdt} unit="USDT" decimals="all" />
          </Fact>
          {returning.isBegun && (
            <Fact term={text('refundTo')}>
              <ExplorerValue chain="bsc" kind="address" value={payment.from_address} isWhole />
            </Fact>
          )}
        </dl>
        <ReturnStep {...returning} onNotSent={() => decision.current?.wasNotSent()} />
        {mayBeSent && (
          <>
            <CheckedField
              label={text('refundHash')}
              className="input code"
              value={hash}
              problem={problem}
              onType={(typed) => {
                setHash(typed)
                setProblem(undefined)
              }}
            />
            <label className="field">
              <span className="field__label">{text('note')}</span>
              <input
                className="input"
                maxLength={MAX_NOTE}
                value={note}
                onChange={(event) => setNote(event.target.value)}
              />
            </label>
          </>
        )}
        <div className="dialog__actions">
          <CancelButton>{text('cancel')}</CancelButton>
          <button
            type="submit"
            className="button"
            disabled={mark.isPending || !mayBeSent || hash.trim() === ''}
          >
            {text('refund')}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
