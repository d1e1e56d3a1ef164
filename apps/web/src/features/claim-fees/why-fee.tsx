import type { PendingClaimFee } from '@dct/api-contract/claims'
import { useTexts } from '../../shared/i18n/texts.ts'
import { WhyLine } from '../../shared/ui/why-line.tsx'
import { feeTexts } from './claim-fees.texts.ts'

/** What a fee is made of: basis, rate, price, energy, and its own last digits. */
export function WhyFee({ fee }: { fee: PendingClaimFee }) {
  const text = useTexts(feeTexts)
  return (
    <WhyLine title={text('whyAmount')}>
      {text('whyAmountText', {
        fee: fee.fee_usdt,
        percentage: fee.fee_percentage,
        claimed: fee.claimed_amount,
        first: fee.first_cycle,
        last: fee.last_cycle,
        feeDct: fee.unpaid_fee,
        price: fee.price_usdt,
        energy: fee.energy_fee_usdt,
      })}
    </WhyLine>
  )
}
