import type { ClaimPoolEntry } from '@dct/api-contract/referrals'
import { errorText } from '../../shared/api/api-error.ts'
import { useTexts } from '../../shared/i18n/texts.ts'
import { compareDecimals } from '../../shared/lib/decimal.ts'
import { Dialog } from '../../shared/ui/dialog.tsx'
import { toast } from '../../shared/ui/toast-store.ts'
import { ClaimFacts } from './claim-facts.tsx'
import { useApproveClaim } from './claim-pool.api.ts'
import { POOL_WORDING, poolTexts } from './claim-pool.texts.ts'

type ConfirmApprovalProps = {
  id: string
  /** The claim as the list shows it at this moment; undefined when it is there no more. */
  entry: ClaimPoolEntry | undefined
  /** Undefined: the amount is not paid from the payout wallet. */
  available: string | undefined
  onClose(): void
}

/** The last question before USDT leaves the payout wallet. */
export function ConfirmApproval({ id, entry, available, onClose }: ConfirmApprovalProps) {
  const text = useTexts(poolTexts)
  const approval = useApproveClaim()
  const approve = () => {
    if (entry === undefined) return void toast.error(POOL_WORDING.claimNotFound)
    if (available !== undefined && compareDecimals(available, entry.total_accumulated) < 0) {
      return void toast.error(POOL_WORDING.balanceTooLow)
    }
    approval.mutate(id, {
      onSuccess: ({ message }) => {
        toast.success(message)
        onClose()
      },
      onError: (error) => toast.error(errorText(error, text('approvalFailed'))),
    })
  }
  return (
    <Dialog title={POOL_WORDING.confirmTitle} onClose={onClose}>
      <p>{POOL_WORDING.confirmQuestion}</p>
      {entry !== undefined && <ClaimFacts entry={entry} />}
      <div className="dialog__actions">
        <button type="button" className="button button--quiet" onClick={onClose}>
          {POOL_WORDING.cancel}
        </button>
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
