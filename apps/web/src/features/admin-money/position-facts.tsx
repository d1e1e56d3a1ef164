import type { DctPosition, Mean, MoneyReply, UsdtPosition } from '@dct/api-contract/operations'
import { useTexts } from '../../shared/i18n/texts.ts'
import { formatDate } from '../../shared/lib/date.ts'
import { UNKNOWN } from '../../shared/lib/unknown.ts'
import { Amount } from '../../shared/ui/amount.tsx'
import { Fact } from '../../shared/ui/fact.tsx'
import { moneyTexts } from './admin-money.texts.ts'
import { MEAN_TEXTS } from './mean-names.ts'

/** What lasts longer is no news. */
const FAR_DAYS = 365

/** What holders are owed, and what the pool has for it. */
export function DctFacts({
  figures,
  poolOnChain,
}: {
  figures: DctPosition
  poolOnChain: string | null
}) {
  const text = useTexts(moneyTexts)
  const dct = (value: string | null) => <Amount value={value} unit="DCT" />
  return (
    <dl className="facts">
      <Fact term={text('promised')} hint={text('promisedHint')}>
        {dct(figures.promised)}
      </Fact>
      <Fact term={text('credited')} hint={text('creditedHint')}>
        {dct(figures.credited)}
      </Fact>
      <Fact term={text('awaitingFee')}>{dct(figures.awaiting_fee)}</Fact>
      <Fact term={text('awaitingPayout')}>{dct(figures.awaiting_payout)}</Fact>
      <Fact term={text('owed')}>{dct(figures.owed)}</Fact>
      <Fact term={text('poolBooked')}>{dct(figures.pool_booked)}</Fact>
      <Fact term={text('poolOnChain')}>{dct(poolOnChain)}</Fact>
      <Fact term={text('free')} hint={text('freeHint')}>
        {dct(figures.free)}
      </Fact>
      <Fact term={text('lapsed')} hint={text('lapsedHint')}>
        {dct(figures.lapsed)}
      </Fact>
    </dl>
  )
}

export function PlanFacts({ plans }: { plans: MoneyReply['dct']['plans'] }) {
  const text = useTexts(moneyTexts)
  return plans.map((plan) => (
    <article key={plan.plan_code} className="stack" aria-label={plan.plan_code}>
      <h3>{text('plan', { code: plan.plan_code })}</h3>
      <DctFacts figures={plan} poolOnChain={plan.pool_on_chain} />
    </article>
  ))
}

/** What referrers and senders of odd payments are owed. */
export function UsdtFacts({ figures }: { figures: UsdtPosition }) {
  const text = useTexts(moneyTexts)
  const usdt = (value: string) => <Amount value={value} unit="USDT" />
  return (
    <dl className="facts">
      <Fact term={text('referralUnclaimed')}>{usdt(figures.referral_unclaimed)}</Fact>
      <Fact term={text('referralRequested')}>{usdt(figures.referral_requested)}</Fact>
      <Fact term={text('awaitingPayout')}>{usdt(figures.awaiting_payout)}</Fact>
      <Fact term={text('unmatched')}>{usdt(figures.unmatched)}</Fact>
      <Fact term={text('owed')}>{usdt(figures.owed)}</Fact>
      <Fact term={text('walletBooked')}>{usdt(figures.payout_wallet_booked)}</Fact>
      <Fact term={text('receiverBooked')}>{usdt(figures.fee_receiver_booked)}</Fact>
    </dl>
  )
}

/** What contracts and wallets hold, each with its age. */
export function MeansFacts({ means }: { means: readonly Mean[] }) {
  const text = useTexts(moneyTexts)
  const hintOf = (mean: Mean): string => {
    const time = formatDate(mean.read_at ?? '') ?? UNKNOWN
    if (mean.read_at === null) return text('neverRead')
    if (mean.is_stale) return text('staleSince', { time })
    const read = text('readAt', { time })
    const { lasts_days: days } = mean
    return days === null || days > FAR_DAYS ? read : `${read}; ${text('lastsDays', { days })}`
  }
  return (
    <dl className="facts">
      {means.map((mean) => (
        <Fact
          key={mean.name}
          term={text(MEAN_TEXTS[mean.name])}
          hint={hintOf(mean)}
          {...warnIf(mean.is_stale)}
        >
          <Amount value={mean.amount} unit={mean.asset} />
        </Fact>
      ))}
    </dl>
  )
}

function warnIf(isOdd: boolean): { tone?: 'warn' } {
  return isOdd ? { tone: 'warn' } : {}
}
