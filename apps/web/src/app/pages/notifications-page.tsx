import { noticesTexts } from '../../features/notices/notices.texts.ts'
import { NoticesPanel } from '../../features/notices/notices-panel.tsx'
import { useTexts } from '../../shared/i18n/texts.ts'
import { Page } from '../../shared/ui/page.tsx'

export function NotificationsPage() {
  const text = useTexts(noticesTexts)
  return (
    <Page title={text('title')} lead={text('lead')}>
      <NoticesPanel />
    </Page>
  )
}
