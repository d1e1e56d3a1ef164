import type { PublishTermsBody } from '@dct/api-contract/terms'
import {
  type PublishedText,
  TERMS_LANGUAGES,
  type TermsLanguage,
} from '@dct/rules/terms-placeholders'
import { errorText } from '../../shared/api/api-error.ts'
import { useTexts } from '../../shared/i18n/texts.ts'
import { shownDate } from '../../shared/lib/date.ts'
import { CancelButton, Dialog } from '../../shared/ui/dialog.tsx'
import { toastAndClose } from '../../shared/ui/toast-and-close.ts'
import { usePublish } from './admin-terms.api.ts'
import { adminTermsTexts } from './admin-terms.texts.ts'
import { TermsDiff } from './terms-diff.tsx'

type PublishDialogProps = {
  kind: PublishedText
  body: PublishTermsBody
  before: Readonly<Record<TermsLanguage, string>>
  onClose(): void
}

/** Shows the day and the changes once more before anything is sent. */
export function PublishDialog({ kind, body, before, onClose }: PublishDialogProps) {
  const text = useTexts(adminTermsTexts)
  const publish = usePublish(kind)
  const send = () => publish.mutate(body, { onSuccess: toastAndClose(onClose) })
  return (
    <Dialog title={text('reviewTitle')} onClose={onClose} size="wide" isBusy={publish.isPending}>
      <p>
        {text(kind === 'terms' ? 'reviewText' : 'reviewPrivacy', {
          day: shownDate(body.effective_day),
        })}
      </p>
      {TERMS_LANGUAGES.map((language) => (
        <section key={language} className="stack stack--tight">
          <h3>{text(`text${language}`)}</h3>
          <TermsDiff before={before[language]} after={body[`text_${language}`]} />
        </section>
      ))}
      {publish.isError && (
        <p className="field__error" role="alert">
          {errorText(publish.error, text('failed'))}
        </p>
      )}
      <div className="dialog__actions">
        <CancelButton>{text('cancel')}</CancelButton>
        <button type="button" className="button" disabled={publish.isPending} onClick={send}>
          {text(publish.isPending ? 'publishing' : 'publish')}
        </button>
      </div>
    </Dialog>
  )
}
