import type { TermsDocument } from '@dct/api-contract/terms'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { errorText } from '../../shared/api/api-error.ts'
import { useLanguage, useTexts } from '../../shared/i18n/texts.ts'
import { useAction } from '../../shared/lib/use-once.ts'
import { PresentTerms } from '../../shared/terms/present-terms.tsx'
import { acceptTerms, termsQuery } from '../../shared/terms/terms.api.ts'
import { Dialog } from '../../shared/ui/dialog.tsx'
import { consentTexts } from './terms-consent.texts.ts'

type ConsentDialogProps = { onEnd(isAccepted: boolean): void; onClose(): void }

/** Asks a holder to accept the terms in force. `onEnd` receives whether that happened. */
export function ConsentDialog({ onEnd, onClose }: ConsentDialogProps) {
  const text = useTexts(consentTexts)
  return (
    <Dialog title={text('title')} onClose={onClose} size="wide">
      <p>{text('why')}</p>
      <PresentTerms after={(terms) => <Acceptance key={terms.version} {...{ terms, onEnd }} />} />
    </Dialog>
  )
}

type AcceptanceProps = { terms: TermsDocument; onEnd: ConsentDialogProps['onEnd'] }

function Acceptance({ terms, onEnd }: AcceptanceProps) {
  const text = useTexts(consentTexts)
  const language = useLanguage() === 'id' ? 'id' : 'en'
  const queryClient = useQueryClient()
  const [hasAccepted, setHasAccepted] = useState(false)
  const acceptance = useAction({
    mutationFn: () =>
      acceptTerms({ version: terms.version, language, sha256: terms[language].sha256 }),
    onSuccess: () => onEnd(true),
    // Other terms may be in force by now: show those.
    onError: () => queryClient.invalidateQueries(termsQuery),
  })
  return (
    <>
      <label className="check">
        <input
          type="checkbox"
          checked={hasAccepted}
          onChange={(event) => setHasAccepted(event.target.checked)}
        />
        {text('accept')}
      </label>
      {acceptance.isError && (
        <p className="field__error" role="alert">
          {errorText(acceptance.error, text('failed'))}
        </p>
      )}
      <div className="dialog__actions">
        <button type="button" className="button button--quiet" onClick={() => onEnd(false)}>
          {text('later')}
        </button>
        <button
          type="button"
          className="button"
          disabled={!hasAccepted || acceptance.isPending}
          onClick={() => acceptance.mutate()}
        >
          {text(acceptance.isPending ? 'sending' : 'send')}
        </button>
      </div>
    </>
  )
}
