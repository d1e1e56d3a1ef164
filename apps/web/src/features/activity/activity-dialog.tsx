import { useSyncExternalStore } from 'react'
import { useTexts } from '../../shared/i18n/texts.ts'
import { activityStore } from '../../shared/ui/activity-store.ts'
import { DateTime } from '../../shared/ui/date-time.tsx'
import { Dialog } from '../../shared/ui/dialog.tsx'
import { activityTexts } from './activity.texts.ts'
import './activity-dialog.css'

export function ActivityDialog({ onClose }: { onClose(): void }) {
  const text = useTexts(activityTexts)
  const entries = useSyncExternalStore(activityStore.subscribe, activityStore.get)
  return (
    <Dialog title={text('title')} onClose={onClose}>
      <p className="soft small">{text('hint')}</p>
      {entries.length === 0 ? (
        <p className="empty">{text('nothing')}</p>
      ) : (
        <ol className="activity">
          {entries.map((entry) => (
            <li key={`${entry.at} ${entry.text}`}>
              <span className="soft small">
                <DateTime value={entry.at} />
              </span>
              <span>{entry.text}</span>
            </li>
          ))}
        </ol>
      )}
    </Dialog>
  )
}
