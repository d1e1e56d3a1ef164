import { type ComponentProps, useId } from 'react'
import { DateInput } from './date-input.tsx'

type CheckedFieldProps = Omit<ComponentProps<'input'>, 'onChange'> & {
  label: string
  hint?: string | undefined
  /** Why the input is invalid. */
  problem?: string | undefined
  /** False if the problem is announced elsewhere, e.g. by a toast. Default: true. */
  isAnnounced?: boolean
  onType(typed: string): void
}

/** An input with its label, and its hint and its problem below it. */
export function CheckedField({
  label,
  hint,
  problem,
  isAnnounced = true,
  onType,
  ...input
}: CheckedFieldProps) {
  const id = useId()
  const hintId = hint === undefined ? undefined : `${id}-hint`
  const problemId = problem === undefined ? undefined : `${id}-problem`
  const Input = input.type?.startsWith('date') ? DateInput : 'input'
  return (
    <div className="field">
      <label className="field__label" htmlFor={id}>
        {label}
      </label>
      <Input
        id={id}
        className="input"
        autoComplete="off"
        aria-invalid={problem !== undefined}
        aria-describedby={problemId ?? hintId}
        onChange={(event) => onType(event.target.value)}
        {...input}
      />
      {hint !== undefined && (
        <span id={hintId} className="field__hint">
          {hint}
        </span>
      )}
      {problem !== undefined && (
        <p id={problemId} className="field__error" role={isAnnounced ? 'alert' : undefined}>
          {problem}
        </p>
      )}
    </div>
  )
}
