import { REFERRALS_ERRORS } from '@dct/api-contract/errors/referrals'
import type { BonusType, ReferralSummary } from '@dct/api-contract/referrals'
import { businessDayOf } from '@dct/rules/business-day'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { usePublicConfig } from '../../shared/config/public-config.ts'
import { refusalOf } from '../../shared/i18n/refusals.ts'
import { useTexts } from '../../shared/i18n/texts.ts'
import { addDecimals, isPositive, shownDecimal, toFixedDecimal } from '../../shared/lib/decimal.ts'
import { Amount } from '../../shared/ui/amount.tsx'
import { ClaimTrackers } from './claim-trackers.tsx'
import { ReferralClaimDialog } from './referral-claim-dialog.tsx'
import { referralQueries } from './referrals.api.ts'
import { REFERRAL_WORDING, referralTexts } from './referrals.texts.ts'
import { useHasCome } from './use-has-come.ts'

/** What can be claimed now, with the buttons that claim it; renders nothing until it is known. */
export function ClaimNow() {
  const { data: summary } = useQuery(referralQueries.summary())
  const [claimed, setClaimed] = useState<BonusType>()
  if (!summary) return null
  const { total_direct_unclaimed: direct, total_indirect_unclaimed: indirect } = summary
  return (
    <div className="claim-now">
      <Claimable amount={addDecimals(direct, indirect)} />
      <Buttons summary={summary} onClaim={setClaimed} />
      <ClaimTrackers />
      {claimed && (
        <ReferralClaimDialog
          type={claimed}
          // The figures may grow while the dialog is open; always show the current ones.
          amount={claimed === 'direct bonus' ? direct : indirect}
          onClose={() => setClaimed(undefined)}
        />
      )}
    </div>
  )
}

function Claimable({ amount }: { amount: string }) {
  const text = useTexts(referralTexts)
  return (
    <p>
      <span className="soft small">{text('claimable')}</span>
      <br />
      <Amount className="claim-now__amount" value={amount} unit="USDT" />
    </p>
  )
}

type ButtonsProps = { summary: ReferralSummary; onClaim(type: BonusType): void }

function Buttons({ summary, onClaim }: ButtonsProps) {
  const { total_direct_unclaimed: direct, waiting_direct, waiting_indirect } = summary
  const exact = toFixedDecimal(direct, 6) ?? direct
  return (
    <>
      {isPositive(direct) && !isPositive(waiting_direct) && (
        <button
          type="button"
          className="button button--usdt"
          onClick={() => onClaim('direct bonus')}
        >
          {`${REFERRAL_WORDING.claimDirect} (${shownDecimal(exact)} USDT)`}
        </button>
      )}
      {!isPositive(waiting_indirect) && (
        <NonDirectClaim
          unclaimed={summary.total_indirect_unclaimed}
          onClaim={() => onClaim('non-direct')}
        />
      )}
    </>
  )
}

/** The claim button of the non-direct bonus; before its opening day, a note that it is not open yet. */
function NonDirectClaim({ unclaimed, onClaim }: { unclaimed: string; onClaim(): void }) {
  const opensAt = usePublicConfig()?.non_direct_opens_at
  const isOpen = useHasCome(opensAt)
  if (opensAt === undefined) return null
  if (!isOpen) {
    const day = businessDayOf(new Date(opensAt))
    return <p className="soft small">{refusalOf(REFERRALS_ERRORS, 'NON_DIRECT_CLOSED', { day })}</p>
  }
  if (!isPositive(unclaimed)) return null
  return (
    <button type="button" className="button button--usdt" onClick={onClaim}>
      {REFERRAL_WORDING.claimNonDirect}
    </button>
  )
}
