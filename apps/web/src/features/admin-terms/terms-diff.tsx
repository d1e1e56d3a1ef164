import { diffWordsWithSpace } from 'diff'
import { useTexts } from '../../shared/i18n/texts.ts'
import { adminTermsTexts } from './admin-terms.texts.ts'

/** A text with what was removed from and added to another one; marked by more than colour. */
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
        return <span key={key}>{value}</span>
      })}
    </div>
  )
}
