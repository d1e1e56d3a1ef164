import { useSyncExternalStore } from 'react'
import { useTexts } from '../../shared/i18n/texts.ts'
import { DateTime } from '../../shared/ui/date-time.tsx'
import { keptToasts } from '../../shared/ui/kept-toasts.ts'
import { historyTexts } from './history.texts.ts'
import './kept-toasts-list.css'

/** The messages about money that were shown in this browser, newest first. */
export function KeptToastsList() {
  const text = useTexts(historyTexts)
  const entries = useSyncExternalStore(keptToasts.subscribe, keptToasts.get)
  return (
    <section className="panel">
      <div className="stack stack--tight">
        <h2>{text('inBrowser')}</h2>
        <p className="soft small">{text('messagesHint')}</p>
      </div>
      {entries.length === 0 ? (
        <p className="soft">{text('noMessages')}</p>
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
    </section>
  )
}
