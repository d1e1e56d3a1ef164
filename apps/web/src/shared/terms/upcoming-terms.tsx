import type { PublishedText } from '@dct/rules/terms-placeholders'
import { useQuery } from '@tanstack/react-query'
import { useTexts } from '../i18n/texts.ts'
import { formatDate } from '../lib/date.ts'
import { textQuery } from './terms.api.ts'
import { termsTexts } from './terms.texts.ts'
import { TermsView } from './terms-view.tsx'

/** Versions that are published and not in force yet. */
export function UpcomingTerms({ kind }: { kind: PublishedText }) {
  const text = useTexts(termsTexts)
  const upcoming = useQuery(textQuery(kind)).data?.upcoming ?? []
  const words = kind === 'terms' ? 'upcoming' : 'privacyUpcoming'
  return upcoming.map(({ version, effective_day: day, id, en }) => (
    <details key={version} className="panel">
      <summary>{text(words, { day: formatDate(day ?? '') ?? '', version })}</summary>
      <TermsView texts={{ id: id.markdown, en: en.markdown }} />
    </details>
  ))
}
