import type { AdminLogEntry } from '@dct/api-contract/admin'
import { useTexts } from '../../shared/i18n/texts.ts'
import { logTexts } from './admin-log.texts.ts'
import './changed-values.css'

type Values = AdminLogEntry['before']

/** The old and new values of an action, by name. */
export function ChangedValues({ entry }: { entry: AdminLogEntry }) {
  const text = useTexts(logTexts)
  if (entry.before === null && entry.after === null) {
    return <span className="soft">{text('nothing')}</span>
  }
  return (
    <div className="stack stack--tight">
      <ValueList name={text('before')} values={entry.before} />
      <ValueList name={text('after')} values={entry.after} />
    </div>
  )
}

function ValueList({ name, values }: { name: string; values: Values }) {
  if (values === null || Object.keys(values).length === 0) return null
  const formatted = Object.entries(values).map(([key, value]) => `${key}: ${format(value)}`)
  return (
    <p>
      <span className="soft small">{name} </span>
      <span className="code changed-values">{formatted.join(', ')}</span>
    </p>
  )
}

function format(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
