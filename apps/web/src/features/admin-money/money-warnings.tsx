import type { MoneyWarning } from '@dct/api-contract/operations'
import { useTexts } from '../../shared/i18n/texts.ts'
import { UNKNOWN } from '../../shared/lib/unknown.ts'
import { Callout } from '../../shared/ui/callout.tsx'
import { moneyTexts } from './admin-money.texts.ts'
import { FUND_TEXTS, isFundName } from './fund-names.ts'

/** Current and expected shortages, the most serious first. */
export function MoneyWarnings({ warnings }: { warnings: readonly MoneyWarning[] }) {
  const text = useTexts(moneyTexts)
  const nameOf = (subject: string) => (isFundName(subject) ? text(FUND_TEXTS[subject]) : subject)
  return (
    <section className="stack" aria-label={text('warnings')}>
      {warnings.length === 0 && <Callout>{text('nothingShort')}</Callout>}
      {warnings.map((warning) => (
        <Callout key={`${warning.code} ${warning.subject}`} tone={warning.severity}>
          <p>
            {text(warning.code, {
              subject: nameOf(warning.subject),
              there: warning.there ?? UNKNOWN,
              needed: warning.needed ?? UNKNOWN,
              days: warning.days ?? UNKNOWN,
            })}
          </p>
        </Callout>
      ))}
    </section>
  )
}
