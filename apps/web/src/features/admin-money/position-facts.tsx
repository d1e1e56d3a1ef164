import type { Fund, PayoutCosts, UsdtPosition } from '@dct/api-contract/operations'
import { useTexts } from '../../shared/i18n/texts.ts'
import { formatDate } from '../../shared/lib/date.ts'
import { UNKNOWN } from '../../shared/lib/unknown.ts'
import { Amount } from '../../shared/ui/amount.tsx'
import { Fact } from '../../shared/ui/fact.tsx'
import { moneyTexts } from './admin-money.texts.ts'
import { FUND_TEXTS } from './fund-names.ts'

/** Longer durations are not shown. */
const FAR_DAYS = 365

/** What is owed to referrers and to senders of unmatched payments. */
export function UsdtFacts({ figures }: { figures: UsdtPosition }) {
  const text = useTexts(moneyTexts)
  const usdt = (value: string) => <Amount value={value} unit="USDT" decimals="all" />
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

/** The balances of contracts and wallets, each with its age. */
export function FundsFacts({ funds }: { funds: readonly Fund[] }) {
  const text = useTexts(moneyTexts)
  const hintOf = (fund: Fund): string => {
    const time = formatDate(fund.read_at ?? '') ?? UNKNOWN
    if (fund.read_at === null) return text('neverRead')
    if (fund.is_stale) return text('staleSince', { time })
    const read = text('readAt', { time })
    const { lasts_days: days } = fund
    return days === null || days > FAR_DAYS ? read : `${read}; ${text('lastsDays', { days })}`
  }
  return (
    <dl className="facts">
      {funds.map((fund) => (
        <Fact
          key={fund.name}
          term={text(FUND_TEXTS[fund.name])}
          hint={hintOf(fund)}
          {...(fund.is_stale && { tone: 'warn' })}
        >
          <Amount
            value={fund.amount}
            unit={fund.asset}
            decimals={fund.asset === 'USDT' ? 'all' : 6}
          />
        </Fact>
      ))}
    </dl>
  )
}

/** The actual cost of our transactions, compared with the income from the energy fee. */
export function CostFacts({ costs }: { costs: PayoutCosts }) {
  const text = useTexts(moneyTexts)
  const times = (count: number) => text('times', { count })
  const { reward_payouts: rewards, operator_calls: calls, referral_payouts: referrals } = costs
  return (
    <>
      <p>{text('costsOver', { days: costs.days })}</p>
      <dl className="facts">
        <Fact term={text('rewardPayouts')} hint={times(rewards.count)}>
          <Amount value={rewards.spent} unit="TRX" />
        </Fact>
        <Fact
          term={text('eachPayout')}
          hint={text('eachHint', {
            usdt: rewards.each_usdt ?? UNKNOWN,
            price: costs.trx_price,
          })}
        >
          <Amount value={rewards.each} unit="TRX" />
        </Fact>
        <Fact term={text('energyFee')} hint={text('energyFeeHint')}>
          <Amount value={costs.energy_fee} unit="USDT" />
        </Fact>
        <Fact term={text('energyFees')} hint={times(costs.energy_fees.count)}>
          <Amount value={costs.energy_fees.brought} unit="USDT" />
        </Fact>
        <Fact term={text('operatorCalls')} hint={times(calls.count)}>
          <Amount value={calls.spent} unit="TRX" />
        </Fact>
        <Fact term={text('referralPayouts')} hint={times(referrals.count)}>
          <Amount value={referrals.spent} unit="BNB" />
        </Fact>
      </dl>
    </>
  )
}
