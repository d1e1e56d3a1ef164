import type { TermsDocument } from '@dct/api-contract/terms'
import type { PublishedText } from '@dct/rules/terms-placeholders'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTexts } from '../i18n/texts.ts'
import { shownDate } from '../lib/date.ts'
import { NotLoaded } from '../ui/not-loaded.tsx'
import { textQuery } from './terms.api.ts'
import { termsTexts } from './terms.texts.ts'
import { TermsView } from './terms-view.tsx'

type PresentTermsProps = {
  /** The terms, unless another text is named. */
  kind?: PublishedText
  /** What follows the terms once they are shown. */
  after?(terms: TermsDocument): ReactNode
}

/** The terms or another text in force, with its version. */
export function PresentTerms({ kind = 'terms', after }: PresentTermsProps) {
  const text = useTexts(termsTexts)
  const query = useQuery(textQuery(kind))
  const terms = query.data?.in_force
  if (terms === undefined) {
    return (
      <NotLoaded query={query}>{text(kind === 'terms' ? 'loadFailed' : 'privacyFailed')}</NotLoaded>
    )
  }
  const { version, effective_day: day, id, en } = terms
  return (
    <>
      <p className="soft small">
        {day === null
          ? text('version', { version })
          : text('versionSince', { version, day: shownDate(day) })}
      </p>
      <TermsView texts={{ id: id.markdown, en: en.markdown }} />
      {after?.(terms)}
    </>
  )
}
