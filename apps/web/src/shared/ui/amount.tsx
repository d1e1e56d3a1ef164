import { localDecimal } from '@dct/money/local-decimal'
import { useLanguage } from '../i18n/texts.ts'
import { sixOrMore, toFixedDecimal } from '../lib/decimal.ts'
import { UNKNOWN } from '../lib/unknown.ts'
import './amount.css'

export type Unit = 'DCT' | 'USDT' | 'TRX' | 'BNB'

type AmountProps = {
  /** A decimal string from the API; missing or unreadable values are shown as unknown, never as 0. */
  value: string | null | undefined
  unit?: Unit | undefined
  /** `all`: at least six, and every further one that is not 0, for amounts that are compared. Default: 6. */
  decimals?: number | 'all'
  /** Formats it as a plain number in every language, because it is to be typed into another program. */
  isPlain?: boolean
  className?: string
}

/**
 * An amount with six decimals, truncated and never rounded up, formatted for the current language; trailing zeros are
 * dimmed.
 */
export function Amount({ value, unit, decimals = 6, isPlain = false, className }: AmountProps) {
  const language = useLanguage()
  const cut = value == null ? undefined : toFixedDecimal(value, decimals === 'all' ? 6 : decimals)
  const plain = cut !== undefined && decimals === 'all' ? sixOrMore(value ?? '') : cut
  if (plain === undefined) return <span className="amount amount--unknown">{UNKNOWN}</span>
  const shown = isPlain ? plain : localDecimal(plain, language)
  const size = plain.split('.')[1]?.length ?? 0
  // With nothing but zeros after it, the point is as faint as they are: "50." would look like the end of a sentence.
  const zeros = size === 0 ? '' : (/\D?0*$/.exec(shown)?.[0] ?? '')
  return (
    <span className={className ? `amount ${className}` : 'amount'} data-unit={unit} translate="no">
      {shown.slice(0, shown.length - zeros.length)}
      {zeros !== '' && <span className="amount__zeros">{zeros}</span>}
      {unit && <span className="amount__unit"> {unit}</span>}
    </span>
  )
}
