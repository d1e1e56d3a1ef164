import type { ClaimPoolEntry } from '@dct/api-contract/referrals'
import { useTexts } from '../../shared/i18n/texts.ts'
import { shorten } from '../../shared/lib/shorten.ts'
import { QuietButton } from '../../shared/ui/quiet-button.tsx'
import { POOL_WORDING, poolTexts } from './claim-pool.texts.ts'

export type ClaimAct = 'approve' | 'decline' | 'return'
export type OnAct = (act: ClaimAct, id: string) => void

type ClaimActionsProps = { entry: ClaimPoolEntry; onAct: OnAct }

/** A claim's state, and the actions an admin can take on it now. */
export function ClaimActions({ entry, onAct }: ClaimActionsProps) {
  const text = useTexts(poolTexts)
  const act = (name: ClaimAct) => () => onAct(name, entry.id)
  const { state } = entry
  // A claim that ended without payment can no longer be approved.
  if (state === 'declined' || state === 'returned') {
    return (
      <>
        <span className="badge" data-tone="bad">
          {text(state)}
        </span>
        {entry.end_reason && <p className="soft small">{entry.end_reason}</p>}
      </>
    )
  }
  if (!entry.approve_at) {
    return (
      <div className="claim-actions">
        <button
          type="button"
          className="button button--usdt button--small"
          onClick={act('approve')}
        >
          {POOL_WORDING.approve}
        </button>
        <QuietButton onClick={act('decline')}>{text('decline')}</QuietButton>
        {entry.first_approve_by && (
          <p className="soft">
            {text('firstApproval', { address: shorten(entry.first_approve_by) })}
          </p>
        )}
      </div>
    )
  }
  const isOpen = state === 'approved' || state === 'failed'
  return (
    <div className="claim-actions">
      <span className="badge" data-tone={state === 'failed' ? 'bad' : 'good'}>
        {POOL_WORDING.approved}
      </span>
      {state === 'failed' && <p className="soft small">{text('failed')}</p>}
      {isOpen && <QuietButton onClick={act('return')}>{text('return')}</QuietButton>}
    </div>
  )
}
