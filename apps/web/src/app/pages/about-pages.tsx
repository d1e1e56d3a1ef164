import type { PublishedText } from '@dct/rules/terms-placeholders'
import { questionTexts } from '../../features/questions/questions.texts.ts'
import { Questions } from '../../features/questions/questions.tsx'
import { securityTexts } from '../../features/security/security.texts.ts'
import { SecurityAdvice } from '../../features/security/security-advice.tsx'
import { ServiceStatus } from '../../features/status/service-status.tsx'
import { statusTexts } from '../../features/status/status.texts.ts'
import { useTexts } from '../../shared/i18n/texts.ts'
import { PresentTerms } from '../../shared/terms/present-terms.tsx'
import { termsTexts } from '../../shared/terms/terms.texts.ts'
import { UpcomingTerms } from '../../shared/terms/upcoming-terms.tsx'
import { Page } from '../../shared/ui/page.tsx'

// In one chunk, because the name of each additional chunk adds to the code of every page.

export function TermsPage() {
  return <PublishedPage kind="terms" title={useTexts(termsTexts)('title')} />
}

export function PrivacyPage() {
  return <PublishedPage kind="privacy" title={useTexts(termsTexts)('privacy')} />
}

function PublishedPage({ kind, title }: { kind: PublishedText; title: string }) {
  return (
    <Page title={title}>
      <UpcomingTerms kind={kind} />
      <section className="panel" aria-label={title}>
        <PresentTerms kind={kind} />
      </section>
    </Page>
  )
}

export function StatusPage() {
  const text = useTexts(statusTexts)
  return (
    <Page title={text('title')} lead={text('lead')}>
      <ServiceStatus />
    </Page>
  )
}

export function SecurityPage() {
  const text = useTexts(securityTexts)
  return (
    <Page title={text('title')} lead={text('lead')}>
      <SecurityAdvice />
    </Page>
  )
}

export function QuestionsPage() {
  const text = useTexts(questionTexts)
  return (
    <Page title={text('title')} lead={text('lead')}>
      <Questions />
    </Page>
  )
}
