import type { PropsWithChildren } from 'react'

type SelectFieldProps = PropsWithChildren<{
  label: string
  value: string | number
  onChoose(value: string): void
}>

/** A drop-down list with its label; its options are the children. */
export function SelectField({ label, value, onChoose, children }: SelectFieldProps) {
  return (
    <label className="field">
      <span className="field__label">{label}</span>
      <select className="input" value={value} onChange={(event) => onChoose(event.target.value)}>
        {children}
      </select>
    </label>
  )
}
