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

export function AmountField({ minimum, maximum, value, problem, onChange }: AmountFieldProps) {
  const text = useTexts(joinTexts)
  const hintId = useId()
  const problemId = useId()
  const { data } = useBalances(usePublicConfig()?.tron.token)
  const bounds = { minimum: wholeOf(minimum), maximum: wholeOf(maximum) }
  return (
    <label className="field">
      <span className="field__label">{text('amount')}</span>
      <input
        className="input"
        inputMode="decimal"
        autoComplete="off"
        aria-invalid={problem !== undefined}
        aria-describedby={`${problemId} ${hintId}`}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
      <FieldProblem id={problemId} text={problem} />
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
