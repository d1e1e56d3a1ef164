import { useTexts } from '../../shared/i18n/texts.ts'
import { PresentTerms } from '../../shared/terms/present-terms.tsx'
import { termsTexts } from '../../shared/terms/terms.texts.ts'
import { Dialog } from '../../shared/ui/dialog.tsx'
import { registerTexts } from './register.texts.ts'

/** The terms in force, to read before registering. */
export function TermsDialog({ onClose }: { onClose(): void }) {
  const text = useTexts(registerTexts)
  return (
    <Dialog title={useTexts(termsTexts)('title')} onClose={onClose} size="wide">
      <PresentTerms />
      <div className="dialog__actions">
        <button type="button" className="button" onClick={onClose}>
          {text('done')}
        </button>
      </div>
    </Dialog>
  )
}
