import type { UnmatchedPayment } from '@dct/api-contract/claims'
import { type FormEvent, useState } from 'react'
import { errorText } from '../../shared/api/api-error.ts'
import { useTexts } from '../../shared/i18n/texts.ts'
import { Amount } from '../../shared/ui/amount.tsx'
import { CheckedField } from '../../shared/ui/checked-field.tsx'
import { CancelButton, Dialog } from '../../shared/ui/dialog.tsx'
import { Notice } from '../../shared/ui/notice.tsx'
import { toast } from '../../shared/ui/toast-store.ts'
import { useAttachPayment } from './admin-payments.api.ts'
import { paymentTexts } from './admin-payments.texts.ts'
import { serializeDifference } from './nearest-fee.tsx'

type AttachPaymentProps = { payment: UnmatchedPayment; onClose(): void }

/** Asks which fee a payment should be counted towards. */
export function AttachPayment({ payment, onClose }: AttachPaymentProps) {
  const text = useTexts(paymentTexts)
  const attach = useAttachPayment()
  const [code, setCode] = useState(payment.nearest_code_claim ?? '')
  const [problem, setProblem] = useState<string>()
  const isNearest = code.trim() === payment.nearest_code_claim
  const submit = (event: FormEvent) => {
    event.preventDefault()
    attach.mutate(
      { tx_hash: payment.tx_hash, log_index: payment.log_index, code_claim: code.trim() },
      {
        onSuccess: ({ message }) => {
          toast.success(message)
          onClose()
        },
        onError: (error) => setProblem(errorText(error, text('failed'))),
      },
    )
  }
  return (
    <Dialog title={text('attachTitle')} onClose={onClose} isBusy={attach.isPending}>
      <form className="stack" onSubmit={submit} noValidate>
        <dl className="facts">
          <div>
            <dt>{text('received')}</dt>
            <dd>
              <Amount value={payment.amount_usdt} unit="USDT" decimals="all" />
            </dd>
          </div>
          {isNearest && payment.nearest_difference_usdt !== null && (
            <>
              <div>
                <dt>{text('expected')}</dt>
                <dd>
                  <Amount value={payment.nearest_expected_usdt} unit="USDT" />
                </dd>
              </div>
              <div>
                <dt>{text('difference')}</dt>
                <dd>{serializeDifference(text, payment.nearest_difference_usdt)}</dd>
              </div>
            </>
          )}
        </dl>
        <CheckedField
          label={text('claimCode')}
          value={code}
          problem={problem}
          onType={(typed) => {
            setCode(typed)
            setProblem(undefined)
          }}
        />
        <Notice tone="warn">
          <p>{text('attachHint')}</p>
        </Notice>
        <div className="dialog__actions">
          <CancelButton>{text('cancel')}</CancelButton>
          <button
            type="submit"
            className="button button--usdt"
            disabled={attach.isPending || code.trim() === ''}
          >
            {text('attach')}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
