import type { ClaimableReward, ClaimType } from '@dct/api-contract/claims'
import { useNavigate } from 'react-router'
import { errorText } from '../../shared/api/api-error.ts'
import { type Translate, useTexts } from '../../shared/i18n/texts.ts'
import { lastDayBefore, shownDate } from '../../shared/lib/date.ts'
import { addDecimals } from '../../shared/lib/decimal.ts'
import { Callout } from '../../shared/ui/callout.tsx'
import { CancelButton, Dialog } from '../../shared/ui/dialog.tsx'
import { toast } from '../../shared/ui/toast-store.ts'
import { claimProblem } from './claim-problem.ts'
import { ClaimSum, ClaimWhy } from './claim-sum.tsx'
import { useClaim } from './claims.api.ts'
import { CLAIM_REFUSALS, CLAIM_WORDING, claimTexts } from './claims.texts.ts'

type ClaimDialogProps = {
  planCode: string
  type: ClaimType
  /** Undefined if there is nothing left to claim, e.g. after a claim on another device. */
  reward: ClaimableReward | undefined
  /** The figures could not be refreshed, so they must not be acted on. */
  isStale: boolean
  onClose(): void
}

/** Shows what the claim yields and costs, before anything is sent. */
export function ClaimDialog({ planCode, type, reward, isStale, onClose }: ClaimDialogProps) {
  const text = useTexts(claimTexts)
  const claim = useClaim()
  const navigate = useNavigate()

  const confirm = () => {
    const problem = claimProblem(reward)
    if (problem !== undefined || !reward) {
      toast.warning(problem ?? CLAIM_REFUSALS.noPlan)
      return
    }
    claim.mutate(
      { planCode, type, maxFeeUsdt: reward.is_fee_known ? reward.estimated_fee_usdt : null },
      {
        onSuccess: ({ data }) => {
          toast.money(text('succeeded', { type, hash: data.transaction_hash }))
          for (const { paid_usdt: paid, now_amount, later_amount } of data.remade ?? [])
            toast.money(text('remade', { paid, amount: addDecimals(now_amount, later_amount) }))
          onClose()
          // The fee to pay is above the tab.
          void navigate({ search: '?tab=claim', hash: '#fees' })
        },
        onError: (error) => toast.error(errorText(error, CLAIM_WORDING.failed)),
      },
    )
  }
  return (
    <Dialog
      title={text('confirmTitle', { plan: planCode, type })}
      onClose={onClose}
      isBusy={claim.isPending}
    >
      {reward && <ClaimSum reward={reward} type={type} />}
      {reward?.is_fee_known && reward.costs_more_than_it_brings && (
        <Callout tone="warn">{text('losing')}</Callout>
      )}
      {isStale && <Callout tone="warn">{text('stale')}</Callout>}
      {reward && <p className="small">{payBySentence(reward, text)}</p>}
      {reward?.is_fee_known && <ClaimWhy reward={reward} />}
      <div className="dialog__actions">
        <CancelButton>{CLAIM_WORDING.cancel}</CancelButton>
        <button
          type="button"
          className="button button--dct"
          disabled={claim.isPending || isStale}
          aria-busy={claim.isPending}
          onClick={confirm}
        >
          {CLAIM_WORDING.confirm}
        </button>
      </div>
    </Dialog>
  )
}

/** By when the fee of this claim must be paid so that nothing is lost. */
function payBySentence(
  { unpaid_lapses_from: lost, fee_until }: ClaimableReward,
  text: Translate<(typeof claimTexts)['english']>,
): string {
  const day = shownDate(lastDayBefore(lost ?? fee_until))
  return text(lost === null ? 'payUntil' : 'payBefore', { day })
}
