import { usePublicConfig } from '../../shared/config/public-config.ts'
import { useTexts } from '../../shared/i18n/texts.ts'
import { UNKNOWN } from '../../shared/lib/unknown.ts'
import { Dialog } from '../../shared/ui/dialog.tsx'
import { registerTexts } from './register.texts.ts'
import { termsOf } from './terms.ts'
import './terms-dialog.css'

/** The terms in Indonesian, their own language, with the English beside. */
export function TermsDialog({ onClose }: { onClose(): void }) {
  const text = useTexts(registerTexts)
  const config = usePublicConfig()
  return (
    <Dialog title={text('termsTitle')} onClose={onClose} size="wide">
      {config && (
        <p className="soft small">{text('termsVersion', { version: config.terms_version })}</p>
      )}
      <ol className="terms">
        {termsOf(config?.support_email ?? UNKNOWN).map(({ heading, text: body }) => (
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
      <div className="dialog__actions">
        <button type="button" className="button" onClick={onClose}>
          {text('done')}
        </button>
      </div>
    </Dialog>
  )
}
