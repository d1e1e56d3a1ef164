import { useQuery } from '@tanstack/react-query'
import { UpcomingTerms } from '../../features/terms-consent/upcoming-terms.tsx'
import { useTexts } from '../../shared/i18n/texts.ts'
import { PresentTerms } from '../../shared/terms/present-terms.tsx'
import { termsQuery } from '../../shared/terms/terms.api.ts'
import { termsTexts } from '../../shared/terms/terms.texts.ts'
import { Page } from '../../shared/ui/page.tsx'

export function TermsPage() {
  const text = useTexts(termsTexts)
  const upcoming = useQuery(termsQuery).data?.upcoming ?? []
  return (
    <Page title={text('title')}>
      <UpcomingTerms upcoming={upcoming} />
      <section className="panel" aria-label={text('title')}>
        <PresentTerms />
      </section>
    </Page>
  )
}
