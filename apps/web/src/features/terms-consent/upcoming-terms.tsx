import type { TermsReply } from '@dct/api-contract/terms'
import { useTexts } from '../../shared/i18n/texts.ts'
import { formatDate } from '../../shared/lib/date.ts'
import { TermsView } from '../../shared/terms/terms-view.tsx'
import { consentTexts } from './terms-consent.texts.ts'

/** Versions that are published and not in force yet. */
export function UpcomingTerms({ upcoming }: Pick<TermsReply, 'upcoming'>) {
  const text = useTexts(consentTexts)
  return upcoming.map(({ version, effective_day: day, id, en }) => (
    <details key={version} className="panel">
      <summary>{text('upcoming', { day: formatDate(day ?? '') ?? '', version })}</summary>
      <TermsView texts={{ id: id.markdown, en: en.markdown }} />
    </details>
  ))
}
