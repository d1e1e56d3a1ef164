import type { ReactNode } from 'react'
import { useTexts } from '../shared/i18n/texts.ts'
import { useTabParam } from '../shared/lib/use-tab-param.ts'
import { Page } from '../shared/ui/page.tsx'
import { Tabs } from '../shared/ui/tabs.tsx'
import { waitingTexts } from './admin-waiting/admin-waiting.texts.ts'
import { useWaiting, type WaitingKind } from './admin-waiting/use-waiting.ts'

/** `kinds` are the kinds of pending items that belong to the tab. */
type AdminTab = { id: string; name: string; content: ReactNode; kinds?: readonly WaitingKind[] }

/** An admin page of tabs, each with the number of its pending items. */
export function AdminTabsPage({ title, tabs }: { title: string; tabs: readonly AdminTab[] }) {
  const text = useTexts(waitingTexts)
  const waiting = useWaiting()
  const [active, choose] = useTabParam(tabs.map(({ id }) => id))
  const counted = tabs.map(({ kinds = [], ...tab }) => {
    const count = kinds.reduce((sum, kind) => sum + (waiting[kind] ?? 0), 0)
    return count === 0 ? tab : { ...tab, waiting: { count, words: text('onTab', { count }) } }
  })
  return (
    <Page title={title} size="wide">
      <Tabs label={title} tabs={counted} active={active} onChange={choose} />
    </Page>
  )
}
