import type { UnmatchedPayment } from '@dct/api-contract/claims'
import { type Translate, useTexts } from '../../shared/i18n/texts.ts'
import { compareDecimals, subtractDecimals } from '../../shared/lib/decimal.ts'
import { paymentTexts } from './admin-payments.texts.ts'

const USDT_DECIMALS = 18

/** Describes by how much a payment differs from a fee. */
export function serializeDifference(
  text: Translate<typeof paymentTexts.english>,
  difference: string,
): string {
  const sign = compareDecimals(difference, '0')
  if (sign === 0) return text('exact')
  if (sign > 0) return text('tooMuch', { amount: trimmed(difference) })
  return text('tooLittle', { amount: trimmed(subtractDecimals('0', difference, USDT_DECIMALS)) })
}

/** Drops only trailing zeros, because the last digits distinguish one fee from another. */
function trimmed(amount: string): string {
  return amount.replace(/(\.\d{6}\d*?)0+$/, '$1')
}

/** The claim a payment was probably meant for, and the difference from its fee. */
export function NearestFee({ payment }: { payment: UnmatchedPayment }) {
  const text = useTexts(paymentTexts)
  const { nearest_code_claim: code, nearest_difference_usdt: difference } = payment
  if (code === null) return <span className="soft">{text('noNearest')}</span>
  return (
    <div>
      <span className="code">{code}</span>
      {difference !== null && <p className="soft">{serializeDifference(text, difference)}</p>}
    </div>
  )
}
