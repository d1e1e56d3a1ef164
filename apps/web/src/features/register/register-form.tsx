import { readEmail } from '@dct/rules/email'
import { parseReferralCode } from '@dct/rules/referral-code'
import { type FormEvent, type KeyboardEvent, useId, useState } from 'react'
import { Link } from 'react-router'
import { Term } from '../../shared/glossary/term.tsx'
import { useTexts } from '../../shared/i18n/texts.ts'
import { lazyDialog } from '../../shared/ui/lazy-part.tsx'
import { WalletConnection } from '../../shared/wallet/wallet-connection.tsx'
import { WalletWait } from '../../shared/wallet/wallet-wait.tsx'
import { REGISTER_WORDING, registerTexts } from './register.texts.ts'
import { useReferralCode } from './use-referral-code.ts'
import type { Registration } from './use-registration.ts'

const TermsDialog = lazyDialog(async () => (await import('./terms-dialog.tsx')).TermsDialog)

/** What a registration needs: the wallet, an e-mail address, and consent to the terms. */
export function RegisterForm({ registration }: { registration: Registration }) {
  const text = useTexts(registerTexts)
  const [email, setEmail] = useState('')
  const { code: referrerCode, setCode: setReferrerCode, isLinkDamaged } = useReferralCode()
  const [linkCode] = useState(referrerCode)
  const damaged = linkCode === '' ? 'damagedLink' : 'damagedLinkKept'
  const [hasAcceptedTerms, setHasAcceptedTerms] = useState(false)
  const [isReading, setIsReading] = useState(false)
  const emailHintId = useId()
  const codeHintId = useId()

  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!registration.isBusy) registration.submit({ email, referrerCode, hasAcceptedTerms })
  }
  return (
    <>
      <form className="panel" noValidate onSubmit={submit} onKeyDown={submitByEnter}>
        <section className="stack stack--tight" aria-label={text('wallet')}>
          <span className="field__label">
            <Term word="wallet">{text('wallet')}</Term>
          </span>
          <WalletConnection />
        </section>
        <label className="field">
          <span className="field__label">{text('email')}</span>
          <input
            className="input"
            type="email"
            name="email"
            autoComplete="email"
            aria-describedby={emailHintId}
            value={email}
            onChange={(event) => setEmail(event.target.value)}
            onBlur={() => setEmail(readEmail(email).email ?? email)}
          />
          <span id={emailHintId} className="field__hint">
            {text('emailHint')} <Link to="/privacy">{text('privacy')}</Link>
          </span>
        </label>
        <label className="field">
          <span className="field__label">{text('referralCode')}</span>
          <input
            className="input"
            name="referrer_code"
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            aria-describedby={codeHintId}
            value={referrerCode}
            onChange={(event) => setReferrerCode(event.target.value)}
            onBlur={() => setReferrerCode(parseReferralCode(referrerCode) ?? referrerCode)}
          />
          {isLinkDamaged && (
            <span id={codeHintId} className="field__hint">
              {text(damaged)}
            </span>
          )}
        </label>
        <div className="stack stack--tight">
          <label className="check">
            <input
              type="checkbox"
              checked={hasAcceptedTerms}
              onChange={(event) => setHasAcceptedTerms(event.target.checked)}
            />
            {text('acceptTerms')}
          </label>
          <p>
            <button type="button" className="text-button" onClick={() => setIsReading(true)}>
              {text('readTerms')}
            </button>
          </p>
        </div>
        <button
          type="submit"
          className="button button--wide"
          disabled={!hasAcceptedTerms || registration.isBusy}
        >
          {registration.isBusy ? text('signing') : REGISTER_WORDING.submit}
        </button>
        {registration.isAsking && <WalletWait onCancel={registration.cancel} />}
        <p>
          <Link to="/login">{REGISTER_WORDING.backToLogin}</Link>
        </p>
      </form>
      {isReading && <TermsDialog onClose={() => setIsReading(false)} />}
    </>
  )
}

/** Lets Enter submit even while the button is disabled, so that the form can show what is missing. */
function submitByEnter(event: KeyboardEvent<HTMLFormElement>): void {
  const { target } = event
  if (event.key !== 'Enter' || !(target instanceof HTMLInputElement)) return
  event.preventDefault()
  event.currentTarget.requestSubmit()
}
