import type { AdminLogEntry } from '@dct/api-contract/admin'
import { LOGGED_VALUES } from '@dct/api-contract/codes'
import { useTexts } from '../../shared/i18n/texts.ts'
import { shownDecimal, sixOrMore } from '../../shared/lib/decimal.ts'
import { shownPercentage } from '../../shared/lib/shown-percentage.ts'
import { UNKNOWN } from '../../shared/lib/unknown.ts'
import { CodeName } from '../../shared/ui/code-name.tsx'
import { logTexts } from './admin-log.texts.ts'
import './changed-values.css'

const DECIMAL = /^-?\d+\.\d+$/
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
  const text = useTexts(logTexts)
  if (values === null || Object.keys(values).length === 0) return null
  const format = (key: string, value: unknown): string => {
    if (typeof value === 'boolean') return text(value ? 'yes' : 'no')
    if (value === null) return UNKNOWN
    if (typeof value !== 'string') return JSON.stringify(value)
    if (key.endsWith('percentage')) return shownPercentage(value)
    return DECIMAL.test(value) ? shownDecimal(sixOrMore(value)) : value
  }
  return (
    <p>
      <span className="soft small">{name} </span>
      <span className="changed-values">
        {Object.entries(values).map(([key, value], index) => (
          <span key={key}>
            {index > 0 && ', '}
            <CodeName codes={LOGGED_VALUES} code={key} />: {format(key, value)}
          </span>
        ))}
      </span>
    </p>
  )
}
