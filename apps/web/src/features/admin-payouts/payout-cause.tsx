import type { AdminPayout } from '@dct/api-contract/payouts'
import { Link } from 'react-router'
import { useTexts } from '../../shared/i18n/texts.ts'
import { payoutTexts } from './admin-payouts.texts.ts'
import { readCause } from './read-cause.ts'

const PARTS = { now: 'claimNow', later: 'claimLater' } as const

/** What a payout is for, with a link to it; a cause of an unknown kind is shown unchanged. */
export function PayoutCause({ payout: { cause, code_claim: code } }: { payout: AdminPayout }) {
  const text = useTexts(payoutTexts)
  const read = readCause(cause)
  if (read === undefined) return <span className="code">{cause}</span>
  return read.kind === 'claim' ? (
    <Link to={`/admin/cases/${code ?? read.id}`} title={cause}>
      {text(PARTS[read.part], { claim: code ?? read.id })}
    </Link>
  ) : (
    <Link to="/admin/referral-claim-pool" title={cause}>
      {text('referralClaim', { id: read.id })}
    </Link>
  )
}
