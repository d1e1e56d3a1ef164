import type { ClaimedReward } from '@dct/api-contract/claims'
import { useQuery } from '@tanstack/react-query'
import { earlyClaimsQuery } from '../../shared/api/early-claims.api.ts'
import { useTexts } from '../../shared/i18n/texts.ts'
import { Amount } from '../../shared/ui/amount.tsx'
import { DateTime } from '../../shared/ui/date-time.tsx'
import { PayoutHash } from '../../shared/ui/payout-hash.tsx'
import { earningsTexts } from './my-earnings.texts.ts'
import './early-claims.css'

/** The halves that HALF claims paid immediately, the newest in view; renders nothing without such a claim. */
export function EarlyClaims({ planCode }: { planCode: string }) {
  const text = useTexts(earningsTexts)
  const { data = [] } = useQuery(earlyClaimsQuery)
  const [newest, ...earlier] = data
    .filter(({ earning_plan_code }) => earning_plan_code === planCode)
    .toSorted((one, other) => other.claim_date.localeCompare(one.claim_date))
  if (newest === undefined) return null
  return (
    <div className="early-claims small">
      <h4 className="soft small">{text('earlyClaimed')}</h4>
      <EarlyClaim claim={newest} />
      {earlier.length > 0 && (
        <details>
          <summary>{text('earlierClaims', { count: earlier.length })}</summary>
          <ul>
            {earlier.map((claim) => (
              <li key={claim.code_claim}>
                <EarlyClaim claim={claim} />
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  )
}

function EarlyClaim({ claim }: { claim: ClaimedReward }) {
  return (
    <p className="early-claims__claim">
      <Amount value={claim.claimed_amount} unit="DCT" />
      <DateTime value={claim.claim_date} isDay />
      <PayoutHash hash={claim.claimed_trx_hash} />
    </p>
  )
}
