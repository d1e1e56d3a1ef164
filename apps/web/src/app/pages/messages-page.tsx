import { messageSettingsTexts } from '../../features/messages/messages.texts.ts'
import { MessagesPanel } from '../../features/messages/messages-panel.tsx'
import { useTexts } from '../../shared/i18n/texts.ts'
import { Page } from '../../shared/ui/page.tsx'

export function MessagesPage() {
  const text = useTexts(messageSettingsTexts)
  return (
    <Page title={text('title')} lead={text('lead')}>
      <MessagesPanel />
    </Page>
  )
}
