import type { AdminPayout } from '@dct/api-contract/payouts'
import { errorText } from '../../shared/api/api-error.ts'
import { useTexts } from '../../shared/i18n/texts.ts'
import { Amount } from '../../shared/ui/amount.tsx'
import { Callout } from '../../shared/ui/callout.tsx'
import { CancelButton, Dialog } from '../../shared/ui/dialog.tsx'
import { ExplorerValue } from '../../shared/ui/explorer-value.tsx'
import { Fact } from '../../shared/ui/fact.tsx'
import { ReasonDialog } from '../../shared/ui/reason-dialog.tsx'
import { toastAndClose } from '../../shared/ui/toast-and-close.ts'
import { usePayoutAct } from './admin-payouts.api.ts'
import { payoutTexts } from './admin-payouts.texts.ts'
import { PayoutCause } from './payout-cause.tsx'

type PayoutDialogProps = { payout: AdminPayout; onClose(): void }

/** Asks for confirmation before a payout that waits is tried again. */
export function RetryPayout({ payout, onClose }: PayoutDialogProps) {
  const text = useTexts(payoutTexts)
  const retry = usePayoutAct('/admin/payouts/retry')
  const send = () => retry.mutate({ id: payout.id }, { onSuccess: toastAndClose(onClose) })
  return (
    <Dialog title={text('retryTitle')} onClose={onClose} isBusy={retry.isPending}>
      <PayoutFacts payout={payout} />
      {payout.wait_text !== null && <p>{payout.wait_text}</p>}
      <Callout>
        <p>{text('retryHint')}</p>
      </Callout>
      {retry.isError && (
        <p className="field__error" role="alert">
          {errorText(retry.error, text('failed'))}
        </p>
      )}
      <div className="dialog__actions">
        <CancelButton>{text('cancel')}</CancelButton>
        <button type="button" className="button" disabled={retry.isPending} onClick={send}>
          {text('retry')}
        </button>
      </div>
    </Dialog>
  )
}

/** Asks for the reason for holding a payout that is not signed yet. */
export function HoldPayout({ payout, onClose }: PayoutDialogProps) {
  const text = useTexts(payoutTexts)
  const hold = usePayoutAct('/admin/payouts/hold')
  return (
    <ReasonDialog
      title={text('holdTitle')}
      label={text('holdReason')}
      confirm={text('hold')}
      problem={hold.isError ? errorText(hold.error, text('failed')) : undefined}
      isBusy={hold.isPending}
      onClose={onClose}
      onConfirm={(reason) =>
        hold.mutate({ id: payout.id, reason }, { onSuccess: toastAndClose(onClose) })
      }
    >
      <PayoutFacts payout={payout} />
      <p className="soft">{text('holdHint')}</p>
    </ReasonDialog>
  )
}

function PayoutFacts({ payout }: { payout: AdminPayout }) {
  const text = useTexts(payoutTexts)
  const chain = payout.chain === 'TRON' ? 'tron' : 'bsc'
  return (
    <dl className="facts">
      <Fact term={text('amount')}>
        <Amount value={payout.amount} unit={payout.asset} />
      </Fact>
      <Fact term={text('cause')}>
        <PayoutCause payout={payout} />
      </Fact>
      <Fact term={text('receiver')}>
        <ExplorerValue chain={chain} kind="address" value={payout.to_address} isWhole />
      </Fact>
    </dl>
  )
}
