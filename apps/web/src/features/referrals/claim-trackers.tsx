import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { firstPage } from '../../shared/api/wire.ts'
import { useTexts } from '../../shared/i18n/texts.ts'
import { shownDay } from '../../shared/lib/date.ts'
import { shownDecimal, toFixedDecimal } from '../../shared/lib/decimal.ts'
import { ExplorerValue } from '../../shared/ui/explorer-value.tsx'
import { Tracker } from '../../shared/ui/tracker.tsx'
import { CLAIM_STEPS, claimStage } from './claim-stage.ts'
import { ClaimState, type ClaimStateProps } from './claim-state.tsx'
import { referralQueries } from './referrals.api.ts'
import { referralTexts } from './referrals.texts.ts'

const NEWEST = firstPage({ sortBy: 'last_claim_date', sortOrder: 'desc' })

/** The way of each claim that is under way, step by step; one that is paid in the meantime stays until the page is left. */
export function ClaimTrackers() {
  const { data } = useQuery(referralQueries.claims(NEWEST))
  const seen = useRef(new Set<string>())
  const claims = data?.rows ?? []
  for (const claim of claims) {
    if ((claimStage(claim) ?? CLAIM_STEPS) < CLAIM_STEPS) seen.current.add(claim.id)
  }
  return claims.map(
    (claim) =>
      seen.current.has(claim.id) && (
        <ClaimTracker key={claim.id} claim={claim} usualWait={data?.usualWait ?? null} />
      ),
  )
}

function ClaimTracker({ claim, usualWait }: ClaimStateProps) {
  const text = useTexts(referralTexts)
  const done = claimStage(claim)
  if (done === undefined) return null
  const { total_accumulated: amount, tx_hash_usdt: hash } = claim
  const shown = shownDecimal(toFixedDecimal(amount, 6) ?? amount)
  const title = text('trackTitle', { day: shownDay(claim.last_claim_date) })
  const steps = [
    { name: text('trackSigned', { amount: shown }) },
    { name: text(done > 1 ? 'trackApproved' : 'trackApproving') },
    {
      name: text('trackSent'),
      link: hash && <ExplorerValue chain="bsc" kind="transaction" value={hash} />,
    },
    { name: text(done === CLAIM_STEPS ? 'trackPaid' : 'trackPaying', { amount: shown }) },
  ]
  return (
    <div className="claim-now__tracker">
      <p className="soft small">{title}</p>
      <Tracker label={title} steps={steps} done={done} />
      {done < CLAIM_STEPS && <ClaimState claim={claim} usualWait={usualWait} />}
    </div>
  )
}
