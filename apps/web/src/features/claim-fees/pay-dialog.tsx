import type { PendingClaimFee } from '@dct/api-contract/claims'
import { type FormEvent, useId } from 'react'
import { useTexts } from '../../shared/i18n/texts.ts'
import { shownDecimal, toFixedDecimal } from '../../shared/lib/decimal.ts'
import { groupsOf } from '../../shared/lib/shorten.ts'
import { useDraft } from '../../shared/lib/use-draft.ts'
import { Amount } from '../../shared/ui/amount.tsx'
import { CopyButton } from '../../shared/ui/copy-button.tsx'
import { Dialog } from '../../shared/ui/dialog.tsx'
import { Notice } from '../../shared/ui/notice.tsx'
import { toast } from '../../shared/ui/toast-store.ts'
import { AddressQr } from './address-qr.tsx'
import { FEE_WORDING, feeTexts } from './claim-fees.texts.ts'
import { paymentHashProblem, readPaymentHash } from './payment-hash.ts'
import { PaymentNews } from './payment-news.tsx'
import { usePayFee } from './use-pay-fee.ts'
import { WalletPayment } from './wallet-payment.tsx'
import { WhyFee } from './why-fee.tsx'

type PayDialogProps = { fee: PendingClaimFee; onClose(): void }

/** The amount, address and network of the payment, with a field for its hash. */
export function PayDialog({ fee, onClose }: PayDialogProps) {
  const text = useTexts(feeTexts)
  const facts = {
    plan: fee.earning_plan_code,
    type: fee.claim_type,
    code: fee.code_claim,
  }
  return (
    <Dialog title={text('payTitle')} onClose={onClose}>
      <p className="soft small">{text('payFor', facts)}</p>
      <PaymentNews fee={fee} />
      <ExactAmount fee={fee} />
      <Receiver address={fee.receiver_address} />
      <Notice tone="warn">{text('fromWallet')}</Notice>
      <HandIn fee={fee} onClose={onClose} />
    </Dialog>
  )
}

function ExactAmount({ fee }: { fee: PendingClaimFee }) {
  const text = useTexts(feeTexts)
  const plain = toFixedDecimal(fee.unpaid_fee_usdt, 6) ?? fee.unpaid_fee_usdt
  return (
    <section className="field" aria-label={text('exactAmount')}>
      <span className="field__label">{text('exactAmount')}</span>
      <div className="pay-value">
        <Amount className="pay-value__amount" value={plain} unit="USDT" isPlain />
        <CopyButton value={plain} label={text('copyAmount')} iconOnly />
      </div>
      {shownDecimal(plain) !== plain && <span className="field__hint">{text('plainAmount')}</span>}
      <span className="field__hint">{text('exactAmountHint')}</span>
      <WhyFee fee={fee} />
    </section>
  )
}

/** The whole address in groups, so that it can be compared with what the wallet shows. */
function Receiver({ address }: { address: string }) {
  const text = useTexts(feeTexts)
  return (
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
      <span className="field__hint">
        {text('network')}: <strong>{FEE_WORDING.network}</strong>
      </span>
      <AddressQr address={address} />
    </section>
  )
}

/** Pays from a browser wallet if there is one, and has a field for the payment's hash, which that fills in. */
function HandIn({ fee, onClose }: PayDialogProps) {
  const [hash, setHash] = useDraft(`payment-hash.${fee.code_claim}`)
  const pay = usePayFee(fee)
  const handIn = async (sent: string) => {
    if (await pay(sent)) onClose()
  }
  const isSent =
    paymentHashProblem(readPaymentHash(hash)) === undefined || fee.hint?.is_checking === true
  return (
    <>
      <WalletPayment
        fee={fee}
        isSent={isSent}
        onSent={(sent) => {
          setHash(sent) // survives a reload, so that the fee is not paid twice
          void handIn(sent)
        }}
      />
      <HashForm hash={hash} onType={setHash} onSubmit={handIn} />
    </>
  )
}

type HashFormProps = {
  hash: string
  onType(typed: string): void
  onSubmit(hash: string): Promise<void>
}

function HashForm({ hash, onType, onSubmit }: HashFormProps) {
  const text = useTexts(feeTexts)
  const hintId = useId()

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const problem = paymentHashProblem(readPaymentHash(hash))
    if (problem !== undefined) toast.error(problem)
    else await onSubmit(readPaymentHash(hash))
  }
  return (
    <form className="stack" noValidate onSubmit={(event) => void submit(event)}>
      <p className="soft small">{text('foundByItself')}</p>
      <label className="field">
        <span className="field__label">{text('hash')}</span>
        <input
          className="input code"
          value={hash}
          placeholder="0x…"
          autoComplete="off"
          spellCheck={false}
          aria-describedby={hintId}
          onChange={(event) => onType(event.target.value)}
        />
        <span id={hintId} className="field__hint">
          {text('hashHint')}
        </span>
      </label>
      <div className="dialog__actions">
        <button type="submit" className="button button--usdt">
          {text('submit')}
        </button>
      </div>
    </form>
  )
}
