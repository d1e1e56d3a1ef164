import { useId } from 'react'
import { usePublicConfig } from '../../shared/config/public-config.ts'
import { useTexts } from '../../shared/i18n/texts.ts'
import { UNKNOWN } from '../../shared/lib/unknown.ts'
import { Dialog } from '../../shared/ui/dialog.tsx'
import { registerTexts } from './register.texts.ts'
import { APPLIED_HEADING, appliedTerms, type Term, termsOf } from './terms.ts'
import './terms-dialog.css'

/** The terms in Indonesian, the language they are written in, with the English translation beside them. */
export function TermsDialog({ onClose }: { onClose(): void }) {
  const text = useTexts(registerTexts)
  const config = usePublicConfig()
  const appliedId = useId()
  return (
    <Dialog title={text('termsTitle')} onClose={onClose} size="wide">
      {config && (
        <p className="soft small">{text('termsVersion', { version: config.terms_version })}</p>
      )}
      <TermList terms={termsOf(config?.support_email ?? UNKNOWN)} />
      <section aria-labelledby={appliedId}>
        <h2 id={appliedId} className="terms__applied">
          <span lang="id">{APPLIED_HEADING.id}</span>
          <span lang="en" className="soft">
            {APPLIED_HEADING.en}
          </span>
        </h2>
        <TermList terms={appliedTerms()} />
      </section>
      <div className="dialog__actions">
        <button type="button" className="button" onClick={onClose}>
          {text('done')}
        </button>
      </div>
    </Dialog>
  )
}

function TermList({ terms }: { terms: readonly Term[] }) {
  return (
    <ol className="terms">
      {terms.map(({ heading, text: body }) => (
        <li key={heading.en} className="terms__point">
          <div lang="id">
            <h3>{heading.id}</h3>
            <p>{body.id}</p>
          </div>
          <div lang="en" className="soft">
            <h3>{heading.en}</h3>
            <p>{body.en}</p>
          </div>
        </li>
      ))}
    </ol>
  )
}
