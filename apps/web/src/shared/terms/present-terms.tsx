import type { TermsDocument } from '@dct/api-contract/terms'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTexts } from '../i18n/texts.ts'
import { shownDate } from '../lib/date.ts'
import { NotLoaded } from '../ui/not-loaded.tsx'
import { termsQuery } from './terms.api.ts'
import { termsTexts } from './terms.texts.ts'
import { TermsView } from './terms-view.tsx'

type PresentTermsProps = {
  /** What follows the terms once they are shown. */
  after?(terms: TermsDocument): ReactNode
}

/** The terms in force, with their version. */
export function PresentTerms({ after }: PresentTermsProps) {
  const text = useTexts(termsTexts)
  const query = useQuery(termsQuery)
  const terms = query.data?.in_force
  if (terms === undefined) {
    return <NotLoaded query={query}>{text('loadFailed')}</NotLoaded>
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
