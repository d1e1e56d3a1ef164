import { historyTexts } from '../../features/activity/history.texts.ts'
import { HistoryPanel } from '../../features/activity/history-panel.tsx'
import { KeptToastsList } from '../../features/activity/kept-toasts-list.tsx'
import { useTexts } from '../../shared/i18n/texts.ts'
import { Page } from '../../shared/ui/page.tsx'

/** A holder's whole history, and the messages of this browser. */
export function ActivityPage() {
  const text = useTexts(historyTexts)
  return (
    <Page title={text('title')} lead={text('lead')}>
      <HistoryPanel />
      <KeptToastsList />
    </Page>
  )
}

/** The messages of this browser; the actions of admins are in the admin log. */
export function AdminActivityPage() {
  const text = useTexts(historyTexts)
  return (
    <Page title={text('title')}>
      <KeptToastsList />
    </Page>
  )
}
