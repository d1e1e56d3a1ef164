import { useState } from 'react'
import type { User } from '../../shared/api/wire.ts'
import { useTexts } from '../../shared/i18n/texts.ts'
import { shorten } from '../../shared/lib/shorten.ts'
import { Amount } from '../../shared/ui/amount.tsx'
import { CopyButton } from '../../shared/ui/copy-button.tsx'
import { DateTime } from '../../shared/ui/date-time.tsx'
import { ExplorerValue } from '../../shared/ui/explorer-value.tsx'
import { Fact } from '../../shared/ui/fact.tsx'
import { QuietButton } from '../../shared/ui/quiet-button.tsx'
import { USER_WORDING, userTexts } from './admin-users.texts.ts'
import { EditPercentage } from './edit-percentage.tsx'
import { ReferralFigures } from './referral-figures.tsx'
import { ClaimPoolHistoryDialog, RewardHistoryDialog } from './user-histories.tsx'
import { UserReferralsDialog } from './user-referrals-dialog.tsx'

type Opened = 'referrals' | 'rewards' | 'claims' | 'edit'

/** One user with what the referral programme owes them, and buttons that open the details. */
export function UserCard({ user }: { user: User }) {
  const text = useTexts(userTexts)
  const [opened, setOpened] = useState<Opened>()
  const close = () => setOpened(undefined)
  const address = user.tron_address
  return (
    <article className="panel user-card" aria-label={address}>
      <header className="user-card__head">
        <h2>
          <ExplorerValue chain="tron" kind="address" value={address} />
        </h2>
        <CopyButton value={address} label={text('copyAddress')} iconOnly />
        <span className="badge" data-kind="name">
          {text(user.role === 'admin' ? 'roleAdmin' : 'roleUser')}
        </span>
      </header>
      <dl className="facts">
        <Fact term={text('email')}>{user.email ?? USER_WORDING.notKnown}</Fact>
        <Fact term={text('referralCode')}>
          <span className="code">{user.referral_code}</span>
        </Fact>
        <Fact term={text('joined')}>
          <DateTime value={user.created_at} />
        </Fact>
        <Fact term={text('referrals')}>
          <button
            type="button"
            className="text-button"
            aria-label={text('openReferrals', {
              address: shorten(address),
              count: user.total_referrals,
            })}
            onClick={() => setOpened('referrals')}
          >
            {user.total_referrals}
          </button>
        </Fact>
        <Fact term={text('omset')}>
          <Amount value={user.total_referral_omset} unit="DCT" />
        </Fact>
        <Fact term={text('percentage')}>
          <Amount value={user.referral_reward_percentage} decimals={2} />%
        </Fact>
      </dl>
      <ReferralFigures user={user} />
      <div className="user-card__actions">
        <QuietButton onClick={() => setOpened('rewards')}>{USER_WORDING.rewards}</QuietButton>
        <QuietButton onClick={() => setOpened('claims')}>{USER_WORDING.claims}</QuietButton>
        <QuietButton onClick={() => setOpened('edit')}>{USER_WORDING.edit}</QuietButton>
      </div>
      {opened === 'referrals' && <UserReferralsDialog address={address} onClose={close} />}
      {opened === 'rewards' && <RewardHistoryDialog address={address} onClose={close} />}
      {opened === 'claims' && <ClaimPoolHistoryDialog address={address} onClose={close} />}
      {opened === 'edit' && <EditPercentage user={user} onClose={close} />}
    </article>
  )
}
