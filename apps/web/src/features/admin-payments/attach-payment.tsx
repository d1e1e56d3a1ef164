import type { UnmatchedPayment } from '@dct/api-contract/claims'
import { typedText } from '@dct/money'
import { type FormEvent, useState } from 'react'
import { errorText } from '../../shared/api/api-error.ts'
import { useTexts } from '../../shared/i18n/texts.ts'
import { StepCallout } from '../../shared/money-step/step-callout.tsx'
import { useOpenSteps } from '../../shared/money-step/use-money-step.ts'
import { Amount } from '../../shared/ui/amount.tsx'
import { Callout } from '../../shared/ui/callout.tsx'
import { CheckedField } from '../../shared/ui/checked-field.tsx'
import { CancelButton, Dialog } from '../../shared/ui/dialog.tsx'
import { Fact } from '../../shared/ui/fact.tsx'
import { toastAndClose } from '../../shared/ui/toast-and-close.ts'
import { useAttachPayment } from './admin-payments.api.ts'
import { paymentTexts } from './admin-payments.texts.ts'
import { serializeDifference } from './nearest-fee.tsx'
import { returnStep } from './return-step.tsx'

type AttachPaymentProps = { payment: UnmatchedPayment; onClose(): void }

/** Asks which fee a payment should be counted towards. */
export function AttachPayment({ payment, onClose }: AttachPaymentProps) {
  const text = useTexts(paymentTexts)
  const attach = useAttachPayment()
  const returns = useOpenSteps(returnStep(payment))
  const [code, setCode] = useState(payment.nearest_code_claim ?? '')
  const [problem, setProblem] = useState<string>()
  const isNearest = typedText(code) === payment.nearest_code_claim
  const submit = (event: FormEvent) => {
    event.preventDefault()
    attach.mutate(
      {
        ...{ tx_hash: payment.tx_hash, log_index: payment.log_index, code_claim: typedText(code) },
        known: returns.map(({ attempt }) => attempt),
      },
      {
        onSuccess: toastAndClose(onClose),
        onError: (error) => setProblem(errorText(error, text('failed'))),
      },
    )
  }
  return (
    <Dialog title={text('attachTitle')} onClose={onClose} isBusy={attach.isPending}>
      <form className="stack" onSubmit={submit} noValidate>
        <dl className="facts">
          <Fact term={text('received')}>
            <Amount value={payment.amount_usdt} unit="USDT" decimals="all" />
          </Fact>
          {isNearest && payment.nearest_difference_usdt !== null && (
            <>
              <Fact term={text('expected')}>
                <Amount value={payment.nearest_expected_usdt} unit="USDT" />
              </Fact>
              <Fact term={text('difference')}>
                {serializeDifference(text, payment.nearest_difference_usdt)}
              </Fact>
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
        <StepCallout chain="bsc" steps={returns} />
        <Callout tone="warn">
          <p>{text('attachHint')}</p>
        </Callout>
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
