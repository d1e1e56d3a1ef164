import type { BonusType } from '@dct/api-contract/referrals'
import { type FormEvent, useId, useState } from 'react'
import { useTexts } from '../../shared/i18n/texts.ts'
import { groupsOf } from '../../shared/lib/shorten.ts'
import { Amount } from '../../shared/ui/amount.tsx'
import { Callout } from '../../shared/ui/callout.tsx'
import { CancelButton, Dialog } from '../../shared/ui/dialog.tsx'
import { Fact } from '../../shared/ui/fact.tsx'
import { WalletWait } from '../../shared/wallet/wallet-wait.tsx'
import { claimAddressProblem, readClaimAddress } from './claim-address.ts'
import { REFERRAL_WORDING, referralTexts } from './referrals.texts.ts'
import { useReferralClaim } from './use-referral-claim.ts'

type ReferralClaimDialogProps = { type: BonusType; amount: string; onClose(): void }

/** Asks for the address that receives the bonus, and explains what happens next. */
export function ReferralClaimDialog({ type, amount, onClose }: ReferralClaimDialogProps) {
  const text = useTexts(referralTexts)
  const [address, setAddress] = useState('')
  const { isBusy, isAsking, claim } = useReferralClaim({ type, onDone: onClose })

  const submit = (event: FormEvent) => {
    event.preventDefault()
    claim(readClaimAddress(address))
  }
  return (
    <Dialog title={REFERRAL_WORDING.confirmTitle} onClose={onClose}>
      <form className="stack" noValidate onSubmit={submit}>
        <dl className="facts">
          <Fact term={text('amount')}>
            <Amount value={amount} unit="USDT" />
          </Fact>
          <Fact term={text('type')}>
            {type === 'direct bonus' ? REFERRAL_WORDING.direct : REFERRAL_WORDING.nonDirect}
          </Fact>
          <Fact term={text('network')}>{text('bscNetwork')}</Fact>
        </dl>
        <AddressField address={address} onChange={setAddress} />
        {isAsking ? <WalletWait /> : <Callout>{text('signNext')}</Callout>}
        <div className="dialog__actions">
          <CancelButton>{REFERRAL_WORDING.cancel}</CancelButton>
          <button
            type="submit"
            className="button button--usdt"
            disabled={isBusy}
            aria-busy={isBusy}
          >
            {REFERRAL_WORDING.confirm}
          </button>
        </div>
      </form>
    </Dialog>
  )
}

type AddressFieldProps = { address: string; onChange(address: string): void }

/** The address in one piece for typing, and in groups for comparing once it looks valid. */
function AddressField({ address, onChange }: AddressFieldProps) {
  const text = useTexts(referralTexts)
  const hintId = useId()
  const isWhole = claimAddressProblem(readClaimAddress(address)) === undefined
  return (
    <div className="stack stack--tight">
      <label className="field">
        <span className="field__label">{REFERRAL_WORDING.addressLabel}</span>
        <input
          className="input code"
          value={address}
          placeholder={REFERRAL_WORDING.addressPlaceholder}
          autoComplete="off"
          spellCheck={false}
          aria-describedby={hintId}
          onChange={(event) => onChange(event.target.value)}
        />
      </label>
      <div id={hintId} className="field__hint stack stack--tight">
        <p>{text('addressHint')}</p>
        {isWhole && (
          <p>
            {text('compareAddress')}{' '}
            <span className="referral-groups code">
              {groupsOf(readClaimAddress(address)).map((group, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the groups of one address never change order
                <span key={index}>{group}</span>
              ))}
            </span>
          </p>
        )}
      </div>
    </div>
  )
}
