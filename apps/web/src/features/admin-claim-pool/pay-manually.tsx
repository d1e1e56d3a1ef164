import type { ClaimPoolEntry } from '@dct/api-contract/referrals'
import { findTransactionHash } from '@dct/rules/pasted-text'
import { type FormEvent, useState } from 'react'
import { errorText } from '../../shared/api/api-error.ts'
import { useTexts } from '../../shared/i18n/texts.ts'
import { shorten } from '../../shared/lib/shorten.ts'
import { CopyButton } from '../../shared/ui/copy-button.tsx'
import { CancelButton, Dialog } from '../../shared/ui/dialog.tsx'
import { Notice } from '../../shared/ui/notice.tsx'
import { toast } from '../../shared/ui/toast-store.ts'
import { ClaimFacts } from './claim-facts.tsx'
import { usePayClaim } from './claim-pool.api.ts'
import { POOL_WORDING, poolTexts } from './claim-pool.texts.ts'

type PayManuallyProps = { entry: ClaimPoolEntry; onClose(): void }

/** What an admin has to pay manually and to which address, with a field for the payment's transaction. */
export function PayManually({ entry, onClose }: PayManuallyProps) {
  const text = useTexts(poolTexts)
  const [hash, setHash] = useState('')
  const payment = usePayClaim()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const digits = findTransactionHash(hash)
    payment.mutate(
      { id: entry.id, tx_hash: digits === undefined ? hash.trim() : `0x${digits}` },
      {
        onSuccess: ({ message, is_paid: isPaid }) => {
          toast.outcome(message, { isDone: isPaid })
          onClose()
        },
        onError: (error) => toast.error(errorText(error, text('payFailed'))),
      },
    )
  }
  return (
    <Dialog title={text('payTitle')} onClose={onClose} isBusy={payment.isPending}>
      <form className="stack" onSubmit={submit}>
        <Notice tone="warn">
          <p>{text('payLead')}</p>
        </Notice>
        <ClaimFacts entry={entry} />
        <div className="row">
          <CopyButton value={entry.total_accumulated} label={text('copyAmount')} />
          <CopyButton value={entry.usdt_address} label={text('copyReceiver')} />
        </div>
        <NamedPayment entry={entry} />
        <label className="field">
          <span className="field__label">{text('txHash')}</span>
          <input
            className="input code"
            value={hash}
            required
            placeholder="0x…"
            autoComplete="off"
            spellCheck={false}
            onChange={(event) => setHash(event.target.value)}
          />
        </label>
        <div className="dialog__actions">
          <CancelButton>{POOL_WORDING.cancel}</CancelButton>
          <button
            type="submit"
            className="button button--usdt"
            disabled={payment.isPending || hash.trim() === ''}
            aria-busy={payment.isPending}
          >
            {POOL_WORDING.confirm}
          </button>
        </div>
      </form>
    </Dialog>
  )
}

/** A transaction already recorded for the claim, so that it is not paid twice. */
function NamedPayment({ entry }: { entry: ClaimPoolEntry }) {
  const text = useTexts(poolTexts)
  if (!entry.named_tx_hash) return null
  const problem = entry.named_problem
  return (
    <Notice tone={problem ? 'bad' : 'info'}>
      <p title={entry.named_tx_hash}>
        {problem
          ? text('problem', { problem })
          : text('checking', { hash: shorten(entry.named_tx_hash) })}
      </p>
    </Notice>
  )
}
