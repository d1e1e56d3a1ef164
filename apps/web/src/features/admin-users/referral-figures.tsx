import { useState } from 'react'
import type { User } from '../../shared/api/wire.ts'
import { useTexts } from '../../shared/i18n/texts.ts'
import { addDecimals } from '../../shared/lib/decimal.ts'
import { shorten } from '../../shared/lib/shorten.ts'
import { Amount } from '../../shared/ui/amount.tsx'
import { Fact } from '../../shared/ui/fact.tsx'
import { Tabs } from '../../shared/ui/tabs.tsx'
import { USER_WORDING, userTexts } from './admin-users.texts.ts'

type Figures = { reward: string; claimed: string; unclaimed: string }

/** A user's referral earnings, by kind and in total. */
export function ReferralFigures({ user }: { user: User }) {
  const text = useTexts(userTexts)
  const [active, setActive] = useState('direct')
  const direct = {
    reward: user.total_direct_reward,
    claimed: user.total_direct_claimed,
    unclaimed: user.total_direct_unclaimed,
  }
  const indirect = {
    reward: user.total_indirect_reward,
    claimed: user.total_indirect_claimed,
    unclaimed: user.total_indirect_unclaimed,
  }
  const both = {
    reward: addDecimals(direct.reward, indirect.reward),
    claimed: addDecimals(direct.claimed, indirect.claimed),
    unclaimed: addDecimals(direct.unclaimed, indirect.unclaimed),
  }
  const tabs = [
    { id: 'direct', name: USER_WORDING.feeReferral, content: <FigureList figures={direct} /> },
    { id: 'indirect', name: USER_WORDING.feeEarning, content: <FigureList figures={indirect} /> },
    { id: 'both', name: USER_WORDING.summary, content: <FigureList figures={both} /> },
  ]
  const label = text('figures', { address: shorten(user.tron_address) })
  return <Tabs label={label} tabs={tabs} active={active} onChange={setActive} />
}

function FigureList({ figures }: { figures: Figures }) {
  const text = useTexts(userTexts)
  return (
    <dl className="facts">
      <Fact term={text('totalReward')}>
        <Amount value={figures.reward} unit="USDT" />
      </Fact>
      <Fact term={text('claimed')}>
        <Amount value={figures.claimed} unit="USDT" />
      </Fact>
      <Fact term={text('unclaimed')}>
        <Amount value={figures.unclaimed} unit="USDT" />
      </Fact>
    </dl>
  )
}
