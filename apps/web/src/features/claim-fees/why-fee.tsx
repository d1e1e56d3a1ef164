import type { PendingClaimFee } from '@dct/api-contract/claims'
import { useTexts } from '../../shared/i18n/texts.ts'
import { lastDayBefore, shownDate } from '../../shared/lib/date.ts'
import { sixOrMore } from '../../shared/lib/decimal.ts'
import { shownPercentage } from '../../shared/lib/shown-percentage.ts'
import { WhyLine } from '../../shared/ui/why-line.tsx'
import { feeTexts } from './claim-fees.texts.ts'

/** How a fee is calculated: basis, rate, price, energy, and the digits that make its amount unique. */
export function WhyFee({ fee }: { fee: PendingClaimFee }) {
  const text = useTexts(feeTexts)
  return (
    <WhyLine title={text('whyAmount')}>
      {text('whyAmountText', {
        fee: fee.fee_usdt,
        percentage: shownPercentage(fee.fee_percentage),
        claimed: fee.pending_token_amount,
        first: fee.first_cycle,
        last: fee.last_cycle,
        feeDct: fee.unpaid_fee,
        price: sixOrMore(fee.price_usdt),
        energy: fee.energy_fee_usdt,
        day: shownDate(lastDayBefore(fee.fee_until)),
      })}
    </WhyLine>
  )
}
