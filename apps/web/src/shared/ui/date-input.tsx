import type { ComponentProps } from 'react'
import { formatTyped } from '../lib/date.ts'
import './date-input.css'

/**
 * An input of a day, or of a day and a time, that shows its value as every date is shown: browsers write one in a style
 * of their own, which is seen only while it is typed.
 */
export function DateInput(props: ComponentProps<'input'>) {
  const shown = formatTyped(String(props.value ?? ''))
  return (
    <span className="date-input">
      <input {...props} />
      {shown !== undefined && (
        <span className="date-input__shown" aria-hidden="true">
          {shown}
        </span>
      )}
    </span>
  )
}
