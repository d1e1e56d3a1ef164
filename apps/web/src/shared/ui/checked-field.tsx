import { type ComponentProps, useId } from 'react'

type CheckedFieldProps = Omit<ComponentProps<'input'>, 'onChange'> & {
  label: string
  /** Why what was typed cannot be taken. */
  problem: string | undefined
  /** False where the problem is announced in another way, by a toast say. Left out: true. */
  isAnnounced?: boolean
  onType(typed: string): void
}

/** An input with its label, and with what is wrong about it below. */
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
