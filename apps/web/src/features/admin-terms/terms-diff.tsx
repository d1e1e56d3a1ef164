import { diffWordsWithSpace } from 'diff'
import { useTexts } from '../../shared/i18n/texts.ts'
import { adminTermsTexts } from './admin-terms.texts.ts'

/** How much of an unchanged stretch is shown at each of its ends. */
const CONTEXT = 80

/** What was removed from and added to a text, marked not by colour alone, with some context around it. */
export function TermsDiff({ before, after }: { before: string; after: string }) {
  const text = useTexts(adminTermsTexts)
  return (
    <div className="terms-diff">
      {diffWordsWithSpace(before, after).map(({ value, added, removed }, index) => {
        const key = `${index}`
        if (added)
          return (
            <ins key={key}>
              <span className="visually-hidden">{text('added')} </span>
              {value}
            </ins>
          )
        if (removed)
          return (
            <del key={key}>
              <span className="visually-hidden">{text('removed')} </span>
              {value}
            </del>
          )
        return <span key={key}>{shortened(value)}</span>
      })}
    </div>
  )
}

function shortened(unchanged: string): string {
  if (unchanged.length <= 3 * CONTEXT) return unchanged
  return `${unchanged.slice(0, CONTEXT)} … ${unchanged.slice(-CONTEXT)}`
}
