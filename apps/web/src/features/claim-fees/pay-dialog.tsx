import type { PendingClaimFee } from '@dct/api-contract/claims'
import { type FormEvent, useId, useState } from 'react'
import { useTexts } from '../../shared/i18n/texts.ts'
import { shownDecimal, toFixedDecimal } from '../../shared/lib/decimal.ts'
import { groupsOf } from '../../shared/lib/shorten.ts'
import { useDraft } from '../../shared/lib/use-draft.ts'
import { Amount } from '../../shared/ui/amount.tsx'
import { CopyButton } from '../../shared/ui/copy-button.tsx'
import { Dialog } from '../../shared/ui/dialog.tsx'
import { FieldProblem } from '../../shared/ui/field-problem.tsx'
import { toast } from '../../shared/ui/toast-store.ts'
import { AddressQr } from './address-qr.tsx'
import { FEE_WORDING, feeTexts } from './claim-fees.texts.ts'
import { PaymentCallouts } from './payment-callouts.tsx'
import { paymentHashProblem, readPaymentHash } from './payment-hash.ts'
import { paymentStage } from './payment-stage.ts'
import { PaymentTracker } from './payment-tracker.tsx'
import { usePayFee } from './use-pay-fee.ts'
import { WalletPayment } from './wallet-payment.tsx'

type PayDialogProps = { fee: PendingClaimFee; onClose(): void }

/**
 * Pays a fee: from a wallet in this browser, or by the exact amount and the address. Once a payment is known, it shows
 * how that goes on until the reward is in the holder's wallet.
 */
export function PayDialog({ fee, onClose }: PayDialogProps) {
  const text = useTexts(feeTexts)
  const isOpen = !fee.is_paid && fee.hint?.is_checking !== true
  return (
    <Dialog title={text('payTitle')} onClose={onClose}>
      <PaymentCallouts fee={fee} />
      {isOpen && (
        <>
          <ol className="pay-steps">
            <ExactAmount fee={fee} />
            <Receiver address={fee.receiver_address} />
          </ol>
          <p className="soft small">{text('fromWallet')}</p>
        </>
      )}
      <PaymentTracker fee={fee} />
      {!fee.is_paid && <HandIn fee={fee} isOpen={isOpen} />}
      {paymentStage(fee) === 'sent' && (
        <div className="dialog__actions">
          <button type="button" className="button" onClick={onClose}>
            {text('gotIt')}
          </button>
        </div>
      )}
    </Dialog>
  )
}

function ExactAmount({ fee }: { fee: PendingClaimFee }) {
  const text = useTexts(feeTexts)
  const plain = toFixedDecimal(fee.unpaid_fee_usdt, 6) ?? fee.unpaid_fee_usdt
  return (
    <li>
      <section className="field" aria-label={text('exactAmount')}>
        <span className="field__label">{text('exactAmount')}</span>
        <div className="pay-value">
          <Amount className="pay-value__amount" value={plain} unit="USDT" isPlain />
          <CopyButton value={plain} label={text('copyAmount')} iconOnly />
        </div>
        {shownDecimal(plain) !== plain && (
          <span className="field__hint">{text('plainAmount')}</span>
        )}
      </section>
    </li>
  )
}

/** The whole address in groups, so that it can be compared with what the wallet shows. */
function Receiver({ address }: { address: string }) {
  const text = useTexts(feeTexts)
  return (
    <li>
      <section className="field" aria-label={text('receivingAddress')}>
        <span className="field__label">{text('receivingAddress')}</span>
        <div className="pay-value">
          <span className="pay-value__address" title={address}>
            {groupsOf(address).map((group, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the groups of one address never change order
              <span key={index}>{group}</span>
            ))}
          </span>
          <CopyButton
            value={address}
            label={text('copyAddress')}
            iconOnly
            onCopied={() => toast.success(FEE_WORDING.addressCopied)}
          />
        </div>
        <AddressQr address={address} />
      </section>
    </li>
  )
}

/** Pays from a browser wallet if there is one, and has a field for the payment's hash, which that fills in. */
function HandIn({ fee, isOpen }: { fee: PendingClaimFee; isOpen: boolean }) {
  const [hash, setHash] = useDraft(`payment-hash.${fee.code_claim}`)
  const pay = usePayFee(fee)
  const isSent =
    paymentHashProblem(readPaymentHash(hash)) === undefined || fee.hint?.is_checking === true
  return (
    <>
      {isOpen && (
        <WalletPayment
          fee={fee}
          isSent={isSent}
          onSent={(sent) => {
            setHash(sent) // survives a reload, so that the fee is not paid twice
            void pay(sent)
          }}
        />
      )}
      <HashForm hash={hash} onType={setHash} onSubmit={pay} />
    </>
  )
}

type HashFormProps = {
  hash: string
  onType(typed: string): void
  onSubmit(hash: string): Promise<unknown>
}

/** The optional field for the payment's hash, folded: the payment is found without it. */
function HashForm({ hash, onType, onSubmit }: HashFormProps) {
  const text = useTexts(feeTexts)
  const problemId = useId()
  const [problem, setProblem] = useState<string>()

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const found = paymentHashProblem(readPaymentHash(hash))
    setProblem(found)
    if (found !== undefined) toast.error(found)
    else await onSubmit(readPaymentHash(hash))
  }
  return (
    <details className="pay-hash small" open={hash !== '' || undefined}>
      <summary>{text('haveHash')}</summary>
      <form className="stack stack--tight" noValidate onSubmit={(event) => void submit(event)}>
        <label className="field">
          <span className="field__label">{text('hash')}</span>
          <input
            className="input code"
            value={hash}
            placeholder="0x…"
            autoComplete="off"
            spellCheck={false}
            aria-invalid={problem !== undefined}
            aria-describedby={problemId}
            onChange={(event) => {
              setProblem(undefined)
              onType(event.target.value)
            }}
          />
          <FieldProblem id={problemId} text={problem} />
        </label>
        <button type="submit" className="button button--quiet button--small">
          {text('submit')}
        </button>
      </form>
    </details>
  )
}
