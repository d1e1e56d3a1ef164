import { useQuery } from '@tanstack/react-query'
import { type PropsWithChildren, useState } from 'react'
import { earlyClaimsQuery } from '../../shared/api/early-claims.api.ts'
import { PAID_FEES } from '../../shared/api/first-calls.ts'
import { pendingFeeQueries } from '../../shared/api/pending-fees.api.ts'
import { useTexts } from '../../shared/i18n/texts.ts'
import { deviceMemory } from '../../shared/storage/memory.ts'
import { DrawnTick } from '../../shared/ui/drawn-tick.tsx'
import { ExplorerValue } from '../../shared/ui/explorer-value.tsx'
import { CloseIcon } from '../../shared/ui/icons.tsx'
import { firstPayout } from './first-payout.ts'
import { firstRewardTexts } from './first-reward.texts.ts'
import './first-reward.css'

const SEEN_KEY = 'firstRewardSeen'

/** Shown from the first reward in the holder's wallet until it is closed, with what can be done from here. */
export function FirstReward({ children }: PropsWithChildren) {
  const text = useTexts(firstRewardTexts)
  const [isSeen, setIsSeen] = useState(() => deviceMemory.getItem(SEEN_KEY) !== null)
  const early = useQuery({ ...earlyClaimsQuery, enabled: !isSeen }).data
  const paid = useQuery({ ...pendingFeeQueries.list(PAID_FEES), enabled: !isSeen }).data
  const payout = early && paid && firstPayout(early, paid.pending_fees)
  if (isSeen || payout === undefined) return null
  const close = () => {
    deviceMemory.setItem(SEEN_KEY, 'yes')
    setIsSeen(true)
  }
  return (
    <section className="first-reward" aria-label={text('title')}>
      <DrawnTick />
      <div className="stack stack--tight">
        <p>
          <strong>{text('sent', { amount: payout.amount })}</strong>{' '}
          <ExplorerValue chain="tron" kind="transaction" value={payout.hash} />
        </p>
        {children}
      </div>
      <button type="button" className="icon-button" aria-label={text('close')} onClick={close}>
        <CloseIcon />
      </button>
    </section>
  )
}
