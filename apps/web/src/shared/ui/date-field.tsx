import { FIRST_DAY, isBusinessDay, LAST_DAY } from '@dct/rules/business-day'
import { type ChangeEvent, type FocusEvent, useId } from 'react'
import { useTexts } from '../i18n/texts.ts'
import { useAddressDraft } from '../lib/use-address-draft.ts'
import { DateInput } from './date-input.tsx'
import { FieldProblem } from './field-problem.tsx'
import { uiTexts } from './ui.texts.ts'

type DateFieldProps = {
  label: string
  /** A business day; empty for none. */
  value: string
  min?: string | undefined
  max?: string | undefined
  onChoose(day: string): void
  className?: string
}

/**
 * A business day that the URL keeps. While a year is typed, browsers report days of the years 2, 20 and 202: only a
 * whole day is chosen, and what is typed stays until then. On leaving the field, anything else is given up, except a
 * whole day on the wrong side of the range's other one: that is said at the field.
 */
export function DateField({ label, value, min, max, onChoose, className }: DateFieldProps) {
  const text = useTexts(uiTexts)
  const id = useId()
  const problemId = useId()
  const [draft, setDraft, choose] = useAddressDraft(value, onChoose)
  const change = ({ target }: ChangeEvent<HTMLInputElement>) => {
    const { value: typed, validity } = target
    const isDay = validity.valid && isBusinessDay(typed)
    if (isDay || (typed === '' && !validity.badInput)) choose(typed)
    else setDraft(typed)
  }
  const isBackwards = isBusinessDay(draft) && ((!!min && draft < min) || (!!max && draft > max))
  const leave = ({ target }: FocusEvent<HTMLInputElement>) => {
    if (!target.validity.valid && !isBackwards) setDraft(value)
  }
  return (
    <div className={className ? `field ${className}` : 'field'}>
      <label className="field__label" htmlFor={id}>
        {label}
      </label>
      <DateInput
        id={id}
        className="input"
        type="date"
        value={draft}
        min={min || FIRST_DAY}
        // Limits the year to four digits.
        max={max || LAST_DAY}
        onChange={change}
        onBlur={leave}
        aria-invalid={isBackwards || undefined}
        aria-describedby={isBackwards ? problemId : undefined}
      />
      <FieldProblem id={problemId} text={isBackwards ? text('backwards') : undefined} />
    </div>
  )
}
