import type { ClaimableReward, ClaimType } from '@dct/api-contract/claims'
import { useTexts } from '../../shared/i18n/texts.ts'
import { isPositive, sixOrMore, subtractDecimals } from '../../shared/lib/decimal.ts'
import { shownPercentage } from '../../shared/lib/shown-percentage.ts'
import { Amount } from '../../shared/ui/amount.tsx'
import { Fact } from '../../shared/ui/fact.tsx'
import { claimTexts } from './claims.texts.ts'
import { exactPart, splitDecimals } from './split-decimals.ts'

type ClaimSumProps = { reward: ClaimableReward; type: ClaimType }

/** What the claim pays out and when, what it costs, and what is left; the fee is shown only once it is known. */
export function ClaimSum({ reward, type }: ClaimSumProps) {
  const text = useTexts(claimTexts)
  const { now_amount, later_amount } = reward.parts[type]
  const decimals = splitDecimals(reward.parts[type])
  const exactly = (part: string) => {
    const amount = exactPart(part, decimals)
    return amount && text('exactly', { amount })
  }
  return (
    <dl className="claim-sum">
      <Fact term={text('claimedAmount')}>
        <Amount value={reward.total_claimable} unit="DCT" />
      </Fact>
      {isPositive(now_amount) && (
        <Fact term={text('sentNow')} hint={exactly(now_amount)}>
          <Amount value={now_amount} unit="DCT" decimals={decimals} />
        </Fact>
      )}
      <Fact term={text('sentLater')} hint={exactly(later_amount)}>
        <Amount value={later_amount} unit="DCT" decimals={decimals} />
      </Fact>
      {reward.is_fee_known && (
        <>
          <Fact term={text('toPay')}>
            <Amount className="claim-sum__total" value={reward.estimated_fee_usdt} unit="USDT" />
          </Fact>
          <Fact term={text('net')}>
            <Amount value={reward.net_usdt} unit="USDT" />
          </Fact>
        </>
      )}
    </dl>
  )
}

/** How the fee comes about; folded. */
export function ClaimWhy({ reward }: Pick<ClaimSumProps, 'reward'>) {
  const text = useTexts(claimTexts)
  return (
    <details className="claim-why small">
      <summary>{text('why')}</summary>
      <dl className="claim-sum">
        <Fact
          term={text('fee', { percentage: shownPercentage(reward.fee_percentage) })}
          hint={text('feeAt', { fee: reward.unpaid_fee, price: sixOrMore(reward.price_usdt) })}
        >
          <Amount value={reward.fee_usdt} unit="USDT" />
        </Fact>
        <Fact term={text('energyFee')}>
          <Amount value={reward.energy_fee_usdt} unit="USDT" />
        </Fact>
        <Fact term={text('rounding')}>
          <Amount value={roundingOf(reward)} unit="USDT" />
        </Fact>
      </dl>
      <p className="soft">{text('netHint', { value: reward.value_usdt })}</p>
    </details>
  )
}

/** The difference between the maximum fee and the lines above it. */
function roundingOf({ estimated_fee_usdt, fee_usdt, energy_fee_usdt }: ClaimableReward): string {
  return subtractDecimals(subtractDecimals(estimated_fee_usdt, fee_usdt), energy_fee_usdt)
}
