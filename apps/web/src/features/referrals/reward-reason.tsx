import type { ReferralReward } from '@dct/api-contract/referrals'
import { useTexts } from '../../shared/i18n/texts.ts'
import { toFixedDecimal } from '../../shared/lib/decimal.ts'
import { shorten } from '../../shared/lib/shorten.ts'
import { shownPercentage } from '../../shared/lib/shown-percentage.ts'
import { UNKNOWN } from '../../shared/lib/unknown.ts'
import { levelOf, shownDescription } from './referral-description.ts'
import { REFERRAL_WORDING, referralTexts } from './referrals.texts.ts'

/** A reward's name; expanded, it shows whose fee it came from and at which rate. */
export function RewardReason({ reward }: { reward: ReferralReward }) {
  const text = useTexts(referralTexts)
  return (
    <details className="reward-reason">
      <summary>{shownDescription(reward.reward_description, REFERRAL_WORDING)}</summary>
      <p className="soft small">
        <Reason reward={reward} /> {text('whyRounding')}
      </p>
    </details>
  )
}

function Reason({ reward }: { reward: ReferralReward }) {
  const text = useTexts(referralTexts)
  const facts = {
    rate: shownPercentage(reward.rate_percentage),
    fee: toFixedDecimal(reward.fee_amount, 6) ?? UNKNOWN,
    address: shorten(reward.from_tron_address),
    plan: reward.earning_plan_code,
  }
  const level = levelOf(reward.reward_description)
  if (level !== undefined) return <>{text('whyIndirect', { ...facts, level })}</>
  const isDirect = reward.reward_description === 'direct downline reward'
  return <>{text(isDirect ? 'whyDirect' : 'whyOther', facts)}</>
}
