import { formatUnits } from '@dct/money'
import { useId } from 'react'
import { useBalances } from '../../shared/chain/use-balances.ts'
import { usePublicConfig } from '../../shared/config/public-config.ts'
import { useTexts } from '../../shared/i18n/texts.ts'
import { toFixedDecimal } from '../../shared/lib/decimal.ts'
import { FieldProblem } from '../../shared/ui/field-problem.tsx'
import { joinTexts } from './join-plan.texts.ts'

type AmountFieldProps = {
  minimum: string
  maximum: string
  value: string
  problem: string | undefined
  onChange(value: string): void
}

/** Between the least and the most, a usual amount. */
const MIDDLE = '25'

export function AmountField({ minimum, maximum, value, problem, onChange }: AmountFieldProps) {
  const text = useTexts(joinTexts)
  const fieldId = useId()
  const hintId = useId()
  const problemId = useId()
  const { data } = useBalances(usePublicConfig()?.tron.token)
  const bounds = { minimum: wholeOf(minimum), maximum: wholeOf(maximum) }
  const chips = [bounds.minimum, MIDDLE, bounds.maximum]
  return (
    <div className="field">
      <label className="field__label" htmlFor={fieldId}>
        {text('amount')}
      </label>
      <div className="join-plan__amount">
        <input
          id={fieldId}
          className="input"
          inputMode="decimal"
          autoComplete="off"
          aria-invalid={problem !== undefined}
          aria-describedby={`${problemId} ${hintId}`}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
        {chips.map((amount) => (
          <button
            key={amount}
            type="button"
            className="button button--quiet join-plan__chip"
            aria-label={text('chip', { amount })}
            aria-pressed={value === amount}
            onClick={() => onChange(amount)}
          >
            {amount}
          </button>
        ))}
      </div>
      <FieldProblem id={problemId} text={problem} />
      <span className="field__hint" id={hintId}>
        {data
          ? text('amountHintBalance', {
              ...bounds,
              balance: formatUnits(data.token, data.tokenDecimals),
            })
          : text('amountHint', bounds)}
      </span>
    </div>
  )
}

/** The bounds are whole tokens, so "10.000000" is shown as "10". */
function wholeOf(bound: string): string {
  return toFixedDecimal(bound, 0) ?? bound
}
