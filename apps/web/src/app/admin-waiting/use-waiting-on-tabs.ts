import { useTexts } from '../../shared/i18n/texts.ts'
import type { Tab } from '../../shared/ui/tabs.tsx'
import { waitingTexts } from './admin-waiting.texts.ts'
import { useWaiting, type WaitingKind } from './use-waiting.ts'

/** The counts for a page's tabs: the pending items of all kinds that belong to each tab. */
export function useWaitingOnTabs<Id extends string>(
  kinds: Readonly<Partial<Record<Id, readonly WaitingKind[]>>>,
): (id: Id) => Tab['waiting'] {
  const text = useTexts(waitingTexts)
  const waiting = useWaiting()
  return (id) => {
    const count = (kinds[id] ?? []).reduce((sum, kind) => sum + (waiting[kind] ?? 0), 0)
    return count === 0 ? undefined : { count, words: text('onTab', { count }) }
  }
}
