import type { ClaimPoolEntry, ClaimPoolHistoryReply } from '@dct/api-contract/referrals'
import { useBusinessNow } from '../../shared/config/business-time.ts'
import { i18n, useTexts } from '../../shared/i18n/texts.ts'
import { durationWords } from './duration-words.ts'
import { referralTexts } from './referrals.texts.ts'
import { usualWaitOf } from './usual-wait.ts'

const STATE_TEXTS = {
  requested: 'stateRequested',
  approved: 'stateApproved',
  sending: 'stateSending',
  paid: 'statePaid',
  failed: 'stateFailed',
  declined: 'stateDeclined',
  returned: 'stateReturned',
} as const satisfies Record<ClaimPoolEntry['state'], string>

export type ClaimStateProps = {
  claim: ClaimPoolEntry
  usualWait: ClaimPoolHistoryReply['usual_wait']
}

/** A claim's state in a sentence, with the usual wait, and the reason if it ended without payment. */
export function ClaimState({ claim, usualWait }: ClaimStateProps) {
  const text = useTexts(referralTexts)
  const now = useBusinessNow()
  const wait = usualWaitOf(claim, usualWait, now)
  const isHalfApproved = claim.state === 'requested' && claim.first_approve_by !== null
  return (
    <p className="soft small">
      {text(isHalfApproved ? 'stateHalfApproved' : STATE_TEXTS[claim.state])}
      {claim.queue_place && ` ${text('place', { place: claim.queue_place })}`}
      {wait && ` ${text(wait.text, { time: durationWords(wait.seconds, i18n.locale) })}`}
      {claim.end_reason && ` ${text('reason', { reason: claim.end_reason })}`}
    </p>
  )
}
