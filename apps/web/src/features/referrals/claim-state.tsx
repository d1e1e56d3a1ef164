import type { ClaimPoolEntry } from '@dct/api-contract/referrals'
import { useTexts } from '../../shared/i18n/texts.ts'
import { referralTexts } from './referrals.texts.ts'

const STATE_TEXTS = {
  requested: 'stateRequested',
  approved: 'stateApproved',
  sending: 'stateSending',
  paid: 'statePaid',
  failed: 'stateFailed',
  declined: 'stateDeclined',
  returned: 'stateReturned',
} as const

/** Where a claim stands, in a sentence, and why it ended where it was not paid. */
export function ClaimState({ claim }: { claim: ClaimPoolEntry }) {
  const text = useTexts(referralTexts)
  const isHalfApproved = claim.state === 'requested' && claim.first_approve_by !== null
  return (
    <p className="soft small">
      {text(isHalfApproved ? 'stateHalfApproved' : STATE_TEXTS[claim.state])}
      {claim.end_reason && ` ${text('reason', { reason: claim.end_reason })}`}
    </p>
  )
}
