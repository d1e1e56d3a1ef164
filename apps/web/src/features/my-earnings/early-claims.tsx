import { useQuery } from '@tanstack/react-query'
import { useTexts } from '../../shared/i18n/texts.ts'
import { Amount } from '../../shared/ui/amount.tsx'
import { DateTime } from '../../shared/ui/date-time.tsx'
import { PayoutHash } from '../../shared/ui/payout-hash.tsx'
import { earlyClaimsQuery } from './my-earnings.api.ts'
import { earningsTexts } from './my-earnings.texts.ts'
import './early-claims.css'

/** The halves that HALF claims paid immediately; renders nothing without such a claim. */
export function EarlyClaims({ planCode }: { planCode: string }) {
  const text = useTexts(earningsTexts)
  const { data = [] } = useQuery(earlyClaimsQuery)
  const claims = data.filter(({ earning_plan_code }) => earning_plan_code === planCode)
  if (claims.length === 0) return null
  return (
    <div className="early-claims">
      <h4 className="soft small">{text('earlyClaimed')}</h4>
      <ul>
        {claims.map((claim) => (
          <li key={claim.code_claim}>
            <Amount value={claim.claimed_amount} unit="DCT" />
            <DateTime value={claim.claim_date} />
            <PayoutHash hash={claim.claimed_trx_hash} />
          </li>
        ))}
      </ul>
    </div>
  )
}
