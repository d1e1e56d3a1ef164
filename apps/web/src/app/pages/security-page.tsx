import { securityTexts } from '../../features/security/security.texts.ts'
import { SecurityAdvice } from '../../features/security/security-advice.tsx'
import { useTexts } from '../../shared/i18n/texts.ts'
import { Page } from '../../shared/ui/page.tsx'

export function SecurityPage() {
  const text = useTexts(securityTexts)
  return (
    <Page title={text('title')} lead={text('lead')}>
      <SecurityAdvice />
    </Page>
  )
}
