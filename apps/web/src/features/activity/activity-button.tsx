import { Suspense, useState } from 'react'
import { useTexts } from '../../shared/i18n/texts.ts'
import { HistoryIcon } from '../../shared/ui/icons.tsx'
import { lazyDialog } from '../../shared/ui/lazy-part.tsx'
import { activityTexts } from './activity.texts.ts'

const ActivityDialog = lazyDialog(
  async () => (await import('./activity-dialog.tsx')).ActivityDialog,
)

/** Opens the activity list: money messages stay there after their toasts have closed. */
export function ActivityButton() {
  const text = useTexts(activityTexts)
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <button
        type="button"
        className="icon-button"
        aria-label={text('open')}
        title={text('open')}
        onClick={() => setIsOpen(true)}
      >
        <HistoryIcon />
      </button>
      {isOpen && (
        <Suspense fallback={null}>
          <ActivityDialog onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
