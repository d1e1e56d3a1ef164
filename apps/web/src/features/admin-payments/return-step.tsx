import type { UnmatchedPayment } from '@dct/api-contract/claims'
import { useEffect, useRef, useState } from 'react'
import { errorText } from '../../shared/api/api-error.ts'
import { useTexts } from '../../shared/i18n/texts.ts'
import { StepCallout, StepQuestion } from '../../shared/money-step/step-callout.tsx'
import { StepTaken } from '../../shared/money-step/take-step.ts'
import { useMoneySteps, useOpenSteps } from '../../shared/money-step/use-money-step.ts'
import { toast } from '../../shared/ui/toast-store.ts'
import { paymentTexts } from './admin-payments.texts.ts'

/** The admin says what became of the payment: sent back with a hash, not at all, or by leaving the dialog, unknown. */
type Decision = {
  wasSent(hash: string): Promise<void>
  wasRecorded(): void
  wasNotSent(): void
  left(): void
}

/** The name of the money step that sends this payment back. */
export function returnStep({ tx_hash, log_index }: UnmatchedPayment): string {
  return `refund:${tx_hash}:${log_index}`
}

class NotReturned extends Error {
  override name = 'NotReturned'
}

/**
 * Announces to all admins that one of them is sending a payment back from a wallet of their own, so that no other does
 * it, too.
 */
export function useReturnStep(payment: UnmatchedPayment) {
  const text = useTexts(paymentTexts)
  const step = returnStep(payment)
  const { take } = useMoneySteps()
  const open = useOpenSteps(step)
  const [isBegun, setIsBegun] = useState(false)
  const [taken, setTaken] = useState<StepTaken>()
  const decision = useRef<Decision>(undefined)
  useEffect(() => () => decision.current?.left(), [])

  const begin = async (known: readonly string[]) => {
    setTaken(undefined)
    const mayBeSent = (error: unknown) => !(error instanceof NotReturned)
    try {
      await take({ step, known, mayBeSent, facts: async () => [] }, async (held) => {
        held.asking()
        setIsBegun(true)
        await new Promise<void>((resolve, reject) => {
          decision.current = {
            wasSent: held.sent,
            wasRecorded: resolve,
            wasNotSent: () => reject(new NotReturned()),
            left: () => reject(new Error('The dialog was left')),
          }
        })
      })
    } catch (error) {
      if (error instanceof StepTaken) setTaken(error)
      else if (decision.current === undefined) toast.error(errorText(error, text('failed')))
    }
    decision.current = undefined
    setIsBegun(false)
  }
  return { open, isBegun, taken, begin, leave: () => setTaken(undefined), decision }
}

type ReturnStepProps = Omit<ReturnType<typeof useReturnStep>, 'decision'> & { onNotSent(): void }

export function ReturnStep(props: ReturnStepProps) {
  const { open, isBegun, taken, begin, leave, onNotSent } = props
  const text = useTexts(paymentTexts)
  if (taken) {
    return (
      <StepQuestion
        chain="bsc"
        steps={taken.steps}
        mayConfirm={taken.mayConfirm}
        confirm={text('returnAgain')}
        onConfirm={(known) => void begin(known)}
        onLeave={leave}
      />
    )
  }
  return (
    <>
      <StepCallout chain="bsc" steps={open} />
      <p className="row">
        {isBegun ? (
          <button type="button" className="button button--quiet" onClick={onNotSent}>
            {text('returnNot')}
          </button>
        ) : (
          <button type="button" className="button button--quiet" onClick={() => void begin([])}>
            {text('returnBegin')}
          </button>
        )}
      </p>
      <p className="field__hint" role="status">
        {text(isBegun ? 'returnBegun' : 'returnHint')}
      </p>
    </>
  )
}
