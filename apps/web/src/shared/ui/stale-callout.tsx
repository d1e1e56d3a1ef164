import { useTexts } from '../i18n/texts.ts'
import { formatDate } from '../lib/date.ts'
import { Callout } from './callout.tsx'
import { uiTexts } from './ui.texts.ts'

type StaleCalloutProps = {
  query: { isRefetchError: boolean; dataUpdatedAt: number; refetch(): unknown }
}

/** Shows how old the figures are when they could not be refreshed. */
export function StaleCallout({ query }: StaleCalloutProps) {
  const text = useTexts(uiTexts)
  if (!query.isRefetchError) return null
  const time = formatDate(new Date(query.dataUpdatedAt).toISOString()) ?? ''
  return (
    <Callout tone="warn" role="status">
      <p>{text('stale', { time })}</p>
      <p>
        <button type="button" className="text-button" onClick={() => void query.refetch()}>
          {text('retry')}
        </button>
      </p>
    </Callout>
  )
}
