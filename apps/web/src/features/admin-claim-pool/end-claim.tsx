import type { ClaimPoolEntry } from '@dct/api-contract/referrals'
import { type FormEvent, useState } from 'react'
import { errorText } from '../../shared/api/api-error.ts'
import { useTexts } from '../../shared/i18n/texts.ts'
import { CancelButton, Dialog } from '../../shared/ui/dialog.tsx'
import { toastAndClose } from '../../shared/ui/toast-and-close.ts'
import { toast } from '../../shared/ui/toast-store.ts'
import { ClaimFacts } from './claim-facts.tsx'
import { type ClaimEnding, useEndClaim } from './claim-pool.api.ts'
import { POOL_WORDING, poolTexts } from './claim-pool.texts.ts'

type EndClaimProps = { entry: ClaimPoolEntry; ending: ClaimEnding; onClose(): void }
const LONGEST_REASON = 300

/** Asks for the reason for ending a claim without payment, and ends it. */
export function EndClaim({ entry, ending, onClose }: EndClaimProps) {
  const text = useTexts(poolTexts)
  const [reason, setReason] = useState('')
  const end = useEndClaim(ending)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    end.mutate(
      { id: entry.id, reason: reason.trim() },
      {
        onSuccess: toastAndClose(onClose),
        onError: (error) => toast.error(errorText(error, text('endFailed'))),
      },
    )
  }
  return (
    <Dialog title={text(`${ending}Title`)} onClose={onClose} isBusy={end.isPending}>
      <form className="stack" onSubmit={submit}>
        <p>{text(`${ending}Lead`)}</p>
        <ClaimFacts entry={entry} />
        <label className="field">
          <span className="field__label">{text('reason')}</span>
          <input
            className="input"
            value={reason}
            required
            maxLength={LONGEST_REASON}
            autoComplete="off"
            onChange={(event) => setReason(event.target.value)}
          />
          <span className="field__hint">{text('reasonHint')}</span>
        </label>
        <div className="dialog__actions">
          <CancelButton>{POOL_WORDING.cancel}</CancelButton>
          <button
            type="submit"
            className="button"
            disabled={end.isPending || reason.trim() === ''}
            aria-busy={end.isPending}
          >
            {text(ending)}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
