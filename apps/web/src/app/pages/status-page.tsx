import { ServiceStatus } from '../../features/status/service-status.tsx'
import { statusTexts } from '../../features/status/status.texts.ts'
import { useTexts } from '../../shared/i18n/texts.ts'
import { Page } from '../../shared/ui/page.tsx'

export function StatusPage() {
  const text = useTexts(statusTexts)
  return (
    <Page title={text('title')} lead={text('lead')}>
      <ServiceStatus />
    </Page>
  )
}
