import type { ClaimableReward, ClaimType } from '@dct/api-contract/claims'
import { useTexts } from '../../shared/i18n/texts.ts'
import {
  compareDecimals,
  isPositive,
  subtractDecimals,
  toFixedDecimal,
} from '../../shared/lib/decimal.ts'
import { shownPercentage } from '../../shared/lib/shown-percentage.ts'
import { Amount } from '../../shared/ui/amount.tsx'
import { Fact } from '../../shared/ui/fact.tsx'
import { claimTexts } from './claims.texts.ts'

type ClaimSumProps = { reward: ClaimableReward; type: ClaimType }

/**
 * The claim's calculation: what is paid out and when, what it costs, what is left. The fee lines are shown only once
 * the fee is known.
 */
export function ClaimSum({ reward, type }: ClaimSumProps) {
  const text = useTexts(claimTexts)
  const { now_amount, later_amount } = reward.parts[type]
  const isSplit = isPositive(now_amount)
  const decimals = splitDecimals([now_amount, later_amount])
  return (
    <dl className="claim-sum">
      <Fact term={text('claimedAmount')}>
        <Amount value={reward.total_claimable} unit="DCT" />
      </Fact>
      {isSplit && (
        <Fact term={text('sentNow')}>
          <Amount value={now_amount} unit="DCT" decimals={decimals} />
        </Fact>
      )}
      <Fact term={text('sentLater')} hint={text('sentLaterHint')}>
        <Amount value={later_amount} unit="DCT" decimals={isSplit ? decimals : 6} />
      </Fact>
      {reward.is_fee_known && <FeeFacts reward={reward} />}
    </dl>
  )
}

/** Decimals to show for the parts of a claim: two if exact, otherwise six, so that they add up to the whole. */
function splitDecimals(parts: readonly string[]): 2 | 6 {
  const isExact = parts.every((part) => compareDecimals(part, toFixedDecimal(part, 2) ?? '') === 0)
  return isExact ? 2 : 6
}

/** The difference between the maximum fee and the lines above. */
function roundingOf({ estimated_fee_usdt, fee_usdt, energy_fee_usdt }: ClaimableReward): string {
  return subtractDecimals(subtractDecimals(estimated_fee_usdt, fee_usdt), energy_fee_usdt)
}

function FeeFacts({ reward }: { reward: ClaimableReward }) {
  const text = useTexts(claimTexts)
  return (
    <>
      <Fact
        term={text('fee', { percentage: shownPercentage(reward.fee_percentage) })}
        hint={text('feeAt', { fee: reward.unpaid_fee, price: reward.price_usdt })}
      >
        <Amount value={reward.fee_usdt} unit="USDT" />
      </Fact>
      <Fact term={text('energyFee')} word="energy">
        <Amount value={reward.energy_fee_usdt} unit="USDT" />
      </Fact>
      <Fact term={text('rounding')} hint={text('roundingHint')}>
        <Amount value={roundingOf(reward)} unit="USDT" />
      </Fact>
      <Fact term={text('toPay')} hint={text('feeHint')}>
        <Amount className="claim-sum__total" value={reward.estimated_fee_usdt} unit="USDT" />
      </Fact>
      <Fact term={text('net')} hint={text('netHint', { value: reward.value_usdt })}>
        <Amount value={reward.net_usdt} unit="USDT" />
      </Fact>
    </>
  )
}
