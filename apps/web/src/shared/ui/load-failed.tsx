import type { PropsWithChildren } from 'react'
import { useTexts } from '../i18n/texts.ts'
import { uiTexts } from './ui.texts.ts'

/** Shown in place of content that failed to load, with a retry button. */
export function LoadFailed({ onRetry, children }: PropsWithChildren<{ onRetry(): void }>) {
  const text = useTexts(uiTexts)
  return (
    <div className="panel empty stack">
      <p>{children}</p>
      <p>
        <button type="button" className="button button--quiet button--small" onClick={onRetry}>
          {text('retry')}
        </button>
      </p>
    </div>
  )
}
