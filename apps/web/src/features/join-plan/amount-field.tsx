import { formatUnits } from '@dct/money'
import { useId } from 'react'
import { useBalances } from '../../shared/chain/use-balances.ts'
import { usePublicConfig } from '../../shared/config/public-config.ts'
import { useTexts } from '../../shared/i18n/texts.ts'
import { toFixedDecimal } from '../../shared/lib/decimal.ts'
import { joinTexts } from './join-plan.texts.ts'

type AmountFieldProps = {
  minimum: string
  maximum: string
  value: string
  onChange(value: string): void
}

export function AmountField({ minimum, maximum, value, onChange }: AmountFieldProps) {
  const text = useTexts(joinTexts)
  const hintId = useId()
  const { data } = useBalances(usePublicConfig()?.tron.token)
  const bounds = { minimum: wholeOf(minimum), maximum: wholeOf(maximum) }
  return (
    <label className="field">
      <span className="field__label">{text('amount')}</span>
      <input
        className="input"
        inputMode="decimal"
        autoComplete="off"
        aria-describedby={hintId}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
      <span className="field__hint" id={hintId}>
        {data
          ? text('amountHintBalance', {
              ...bounds,
              balance: formatUnits(data.token, data.tokenDecimals),
            })
          : text('amountHint', bounds)}
      </span>
    </label>
  )
}

/** The bounds are whole tokens, so "10.000000" is shown as "10". */
function wholeOf(bound: string): string {
  return toFixedDecimal(bound, 0) ?? bound
}
