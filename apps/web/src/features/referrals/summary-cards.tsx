import { REFERRALS_ERRORS } from '@dct/api-contract/errors/referrals'
import type { BonusType, ReferralSummary } from '@dct/api-contract/referrals'
import { businessDayOf } from '@dct/rules/business-day'
import { type PropsWithChildren, useId } from 'react'
import { usePublicConfig } from '../../shared/config/public-config.ts'
import { refusalOf } from '../../shared/i18n/refusals.ts'
import { useTexts } from '../../shared/i18n/texts.ts'
import { addDecimals, isPositive, shownDecimal, toFixedDecimal } from '../../shared/lib/decimal.ts'
import { Amount } from '../../shared/ui/amount.tsx'
import { REFERRAL_WORDING, referralTexts } from './referrals.texts.ts'
import { useHasCome } from './use-has-come.ts'

type SummaryCardsProps = { summary: ReferralSummary; onClaim(type: BonusType): void }

/** Direct, non-fee and total rewards, with the buttons to claim them. */
export function SummaryCards({ summary, onClaim }: SummaryCardsProps) {
  const text = useTexts(referralTexts)
  const directUnclaimed = summary.total_direct_unclaimed
  return (
    <div className="referral-cards">
      <Card
        title={REFERRAL_WORDING.directRewards}
        hint={text('directHint')}
        reward={summary.total_direct_reward}
        claimed={summary.total_direct_claimed}
        unclaimed={directUnclaimed}
      >
        <WaitingClaim waiting={summary.waiting_direct} />
        {isPositive(directUnclaimed) && !isPositive(summary.waiting_direct) && (
          <ClaimButton onClick={() => onClaim('direct bonus')}>
            {`${REFERRAL_WORDING.claimDirect} (${shownDecimal(toFixedDecimal(directUnclaimed, 6) ?? directUnclaimed)} USDT)`}
          </ClaimButton>
        )}
      </Card>
      <Card
        title={REFERRAL_WORDING.nonFeeReferral}
        hint={text('nonFeeHint')}
        reward={summary.total_indirect_reward}
        claimed={summary.total_indirect_claimed}
        unclaimed={summary.total_indirect_unclaimed}
      >
        <WaitingClaim waiting={summary.waiting_indirect} />
        {!isPositive(summary.waiting_indirect) && (
          <NonDirectClaim
            unclaimed={summary.total_indirect_unclaimed}
            onClaim={() => onClaim('non-direct')}
          />
        )}
      </Card>
      <Card
        title={REFERRAL_WORDING.totalSummary}
        hint={text('totalHint')}
        reward={addDecimals(summary.total_direct_reward, summary.total_indirect_reward)}
        claimed={addDecimals(summary.total_direct_claimed, summary.total_indirect_claimed)}
        unclaimed={addDecimals(directUnclaimed, summary.total_indirect_unclaimed)}
      />
    </div>
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
  return <ClaimButton onClick={onClaim}>{REFERRAL_WORDING.claimNonDirect}</ClaimButton>
}

/** A pending claim of this kind; the next one can be made once it is decided. */
function WaitingClaim({ waiting }: { waiting: string }) {
  const text = useTexts(referralTexts)
  if (!isPositive(waiting)) return null
  return (
    <p className="soft small">
      {text('claimWaits', { amount: toFixedDecimal(waiting, 6) ?? waiting })}
    </p>
  )
}

function ClaimButton({ onClick, children }: PropsWithChildren<{ onClick(): void }>) {
  return (
    <button type="button" className="button button--usdt" onClick={onClick}>
      {children}
    </button>
  )
}

type CardProps = PropsWithChildren<{
  title: string
  hint: string
  reward: string
  claimed: string
  unclaimed: string
}>

function Card({ title, hint, reward, claimed, unclaimed, children }: CardProps) {
  const headingId = useId()
  return (
    <article className="referral-card" aria-labelledby={headingId}>
      <div className="stack stack--tight">
        <h3 id={headingId}>{title}</h3>
        <p className="soft small">{hint}</p>
      </div>
      <dl className="referral-card__figures">
        <Figure term={REFERRAL_WORDING.totalReward} value={reward} />
        <Figure term={REFERRAL_WORDING.totalClaimed} value={claimed} />
        <Figure term={REFERRAL_WORDING.totalUnclaimed} value={unclaimed} />
      </dl>
      {children}
    </article>
  )
}

function Figure({ term, value }: { term: string; value: string }) {
  return (
    <div>
      <dt>{term}</dt>
      <dd>
        <Amount value={value} unit="USDT" />
      </dd>
    </div>
  )
}
