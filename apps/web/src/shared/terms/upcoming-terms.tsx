import type { TermsReply } from '@dct/api-contract/terms'
import { useTexts } from '../i18n/texts.ts'
import { formatDate } from '../lib/date.ts'
import { termsTexts } from './terms.texts.ts'
import { TermsView } from './terms-view.tsx'

/** Versions that are published and not in force yet. */
export function UpcomingTerms({ upcoming }: Pick<TermsReply, 'upcoming'>) {
  const text = useTexts(termsTexts)
  return upcoming.map(({ version, effective_day: day, id, en }) => (
    <details key={version} className="panel">
      <summary>{text('upcoming', { day: formatDate(day ?? '') ?? '', version })}</summary>
      <TermsView texts={{ id: id.markdown, en: en.markdown }} />
    </details>
  ))
}
