import type { ClaimPoolEntry } from '@dct/api-contract/referrals'
import { errorText } from '../../shared/api/api-error.ts'
import { useTexts } from '../../shared/i18n/texts.ts'
import { compareDecimals } from '../../shared/lib/decimal.ts'
import { CancelButton, Dialog } from '../../shared/ui/dialog.tsx'
import { toast } from '../../shared/ui/toast-store.ts'
import { ClaimFacts } from './claim-facts.tsx'
import { useApproveClaim } from './claim-pool.api.ts'
import { POOL_REFUSALS, POOL_WORDING, poolTexts } from './claim-pool.texts.ts'

type ConfirmApprovalProps = {
  id: string
  /** The claim as currently listed; undefined once it is no longer in the list. */
  entry: ClaimPoolEntry | undefined
  /** What the vault can still pay. */
  available: string
  onClose(): void
}

/** The final confirmation before USDT leaves the vault. */
export function ConfirmApproval({ id, entry, available, onClose }: ConfirmApprovalProps) {
  const text = useTexts(poolTexts)
  const approval = useApproveClaim()
  const approve = () => {
    if (entry === undefined) return void toast.error(POOL_REFUSALS.claimNotFound)
    if (compareDecimals(available, entry.total_accumulated) < 0) {
      return void toast.error(POOL_REFUSALS.balanceTooLow)
    }
    approval.mutate(id, {
      onSuccess: ({ message, is_approved: isApproved }) => {
        toast.outcome(message, { isDone: isApproved })
        onClose()
      },
      onError: (error) => toast.error(errorText(error, text('approvalFailed'))),
    })
  }
  return (
    <Dialog title={POOL_WORDING.confirmTitle} onClose={onClose} isBusy={approval.isPending}>
      <p>{POOL_WORDING.confirmQuestion}</p>
      {entry !== undefined && <ClaimFacts entry={entry} />}
      <div className="dialog__actions">
        <CancelButton>{POOL_WORDING.cancel}</CancelButton>
        <button
          type="button"
          className="button button--usdt"
          disabled={approval.isPending}
          onClick={approve}
        >
          {POOL_WORDING.confirm}
        </button>
      </div>
    </Dialog>
  )
}
