import type { UnmatchedPayment } from '@dct/api-contract/claims'
import { type Translate, useTexts } from '../../shared/i18n/texts.ts'
import { compareDecimals, subtractDecimals } from '../../shared/lib/decimal.ts'
import { paymentTexts } from './admin-payments.texts.ts'

const USDT_DECIMALS = 18

/** How far a payment is off a fee, in words. */
export function spellDifference(
  text: Translate<typeof paymentTexts.english>,
  difference: string,
): string {
  const sign = compareDecimals(difference, '0')
  if (sign === 0) return text('exact')
  if (sign > 0) return text('tooMuch', { amount: trimmed(difference) })
  return text('tooLittle', { amount: trimmed(subtractDecimals('0', difference, USDT_DECIMALS)) })
}

/** No digit that matters is cut off: the last ones tell one fee from another. */
function trimmed(amount: string): string {
  return amount.replace(/(\.\d{6}\d*?)0+$/, '$1')
}

/** The claim that a payment was probably meant for, and how far off it is. */
export function NearestFee({ payment }: { payment: UnmatchedPayment }) {
  const text = useTexts(paymentTexts)
  const { nearest_code_claim: code, nearest_difference_usdt: difference } = payment
  if (code === null) return <span className="soft">{text('noNearest')}</span>
  return (
    <div>
      <span className="code">{code}</span>
      {difference !== null && <p className="soft">{spellDifference(text, difference)}</p>}
    </div>
  )
}
