import { type ComponentProps, useId } from 'react'

type CheckedFieldProps = Omit<ComponentProps<'input'>, 'onChange'> & {
  label: string
  /** Why the input is invalid. */
  problem: string | undefined
  /** False if the problem is announced elsewhere, e.g. by a toast. Default: true. */
  isAnnounced?: boolean
  onType(typed: string): void
}

/** An input with its label, and its problem below it. */
export function CheckedField({
  label,
  problem,
  isAnnounced = true,
  onType,
  ...input
}: CheckedFieldProps) {
  const id = useId()
  const problemId = `${id}-problem`
  return (
    <div className="field">
      <label className="field__label" htmlFor={id}>
        {label}
      </label>
      <input
        id={id}
        className="input"
        autoComplete="off"
        aria-invalid={problem !== undefined}
        aria-describedby={problem === undefined ? undefined : problemId}
        onChange={(event) => onType(event.target.value)}
        {...input}
      />
      {problem !== undefined && (
        <p id={problemId} className="field__error" role={isAnnounced ? 'alert' : undefined}>
          {problem}
        </p>
      )}
    </div>
  )
}
