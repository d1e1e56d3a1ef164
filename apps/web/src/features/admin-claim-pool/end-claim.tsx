import type { ClaimPoolEntry } from '@dct/api-contract/referrals'
import { errorText } from '../../shared/api/api-error.ts'
import { useTexts } from '../../shared/i18n/texts.ts'
import { ReasonDialog } from '../../shared/ui/reason-dialog.tsx'
import { toastAndClose } from '../../shared/ui/toast-and-close.ts'
import { ClaimFacts } from './claim-facts.tsx'
import { type ClaimEnding, useEndClaim } from './claim-pool.api.ts'
import { poolTexts } from './claim-pool.texts.ts'

type EndClaimProps = { entry: ClaimPoolEntry; ending: ClaimEnding; onClose(): void }

/** Asks for the reason for ending a claim without payment, and ends it. */
export function EndClaim({ entry, ending, onClose }: EndClaimProps) {
  const text = useTexts(poolTexts)
  const end = useEndClaim(ending)
  return (
    <ReasonDialog
      title={text(`${ending}Title`)}
      label={text('reason')}
      confirm={text(ending)}
      problem={end.isError ? errorText(end.error, text('endFailed')) : undefined}
      isBusy={end.isPending}
      onClose={onClose}
      onConfirm={(reason) =>
        end.mutate({ id: entry.id, reason }, { onSuccess: toastAndClose(onClose) })
      }
    >
      <p>{text(`${ending}Lead`)}</p>
      <ClaimFacts entry={entry} />
    </ReasonDialog>
  )
}
