import { toFixedDecimal } from '../lib/decimal.ts'
import { UNKNOWN } from '../lib/unknown.ts'
import './amount.css'

export type Unit = 'DCT' | 'USDT' | 'TRX' | 'BNB'

type AmountProps = {
  /** A decimal string from the API; missing or unreadable values are shown as unknown, never as 0. */
  value: string | null | undefined
  unit?: Unit
  /** `all`: at least six, and every further one that is not 0, for amounts that are compared. Default: 6. */
  decimals?: number | 'all'
  className?: string
}

/**
 * An amount with six decimals, truncated and never rounded up. Thousands are separated by spacing only, so that the
 * text stays a plain number for copying and screen readers; trailing zeros are dimmed.
 */
export function Amount({ value, unit, decimals = 6, className }: AmountProps) {
  const shown = value == null ? undefined : toFixedDecimal(value, countOf(value, decimals))
  if (shown === undefined) return <span className="amount amount--unknown">{UNKNOWN}</span>
  const [whole = '', fraction] = shown.split('.')
  const digits = fraction?.replace(/0+$/, '') ?? ''
  const groups = whole.split(/(?=(?:\d{3})+$)/)
  return (
    <span className={className ? `amount ${className}` : 'amount'} data-unit={unit}>
      {groups.length === 1
        ? whole
        : groups.map((group, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the groups of one number never change order
            <span key={index} className="amount__group">
              {group}
            </span>
          ))}
      {fraction !== undefined && `.${digits}`}
      {fraction !== undefined && digits !== fraction && (
        <span className="amount__zeros">{fraction.slice(digits.length)}</span>
      )}
      {unit && <span className="amount__unit"> {unit}</span>}
    </span>
  )
}

function countOf(value: string, decimals: number | 'all'): number {
  if (decimals !== 'all') return decimals
  const fraction = value.trim().split('.')[1] ?? ''
  return Math.max(6, fraction.replace(/0+$/, '').length)
}
