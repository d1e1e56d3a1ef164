import { useQuery } from '@tanstack/react-query'
import { useTexts } from '../../shared/i18n/texts.ts'
import { NotLoaded } from '../../shared/ui/not-loaded.tsx'
import { QuietButton } from '../../shared/ui/quiet-button.tsx'
import { StaleCallout } from '../../shared/ui/stale-callout.tsx'
import { UI_WORDING, uiTexts } from '../../shared/ui/ui.texts.ts'
import { useErrorToast } from '../../shared/ui/use-error-toast.ts'
import { activityQueries, type HistoryPage } from './activity.api.ts'
import { historyTexts } from './history.texts.ts'
import { HistoryFiles } from './history-files.tsx'
import { HistoryFilters } from './history-filters.tsx'
import { HistoryEntry } from './history-item.tsx'
import { type HistoryParams, useHistoryParams } from './use-history-params.ts'
import './history.css'

/** The holder's complete history, page by page, with filters and downloads. */
export function HistoryPanel() {
  const text = useTexts(historyTexts)
  const params = useHistoryParams()
  const page = useQuery(activityQueries.page(params.view, params.place))
  useErrorToast(page.error, text('failed'))
  return (
    <section className="panel" aria-label={text('caption')} aria-busy={page.isFetching}>
      <HistoryFilters params={params} />
      <StaleCallout query={page} />
      {page.data ? (
        <Items page={page.data} params={params} />
      ) : (
        <NotLoaded query={page}>{text('failed')}</NotLoaded>
      )}
      <HistoryFiles filters={params.filters} />
    </section>
  )
}

function Items({ page, params }: { page: HistoryPage; params: HistoryParams }) {
  const text = useTexts(historyTexts)
  const ui = useTexts(uiTexts)
  const { items, hasPrevious, hasNext } = page
  const [first, last] = [items.at(0), items.at(-1)]
  if (first === undefined || last === undefined) {
    return (
      <div className="empty stack">
        <p>{text(params.isNarrowed ? 'emptyFiltered' : 'empty')}</p>
        {params.isNarrowed && (
          <p>
            <QuietButton onClick={params.reset}>{ui('resetFilters')}</QuietButton>
          </p>
        )}
      </div>
    )
  }
  return (
    <>
      <ol className="history">
        {items.map((item) => (
          <HistoryEntry key={item.id} item={item} />
        ))}
      </ol>
      {(hasPrevious || hasNext) && (
        <nav className="pager" aria-label={text('caption')}>
          <QuietButton disabled={!hasPrevious} onClick={() => params.goTo({ before: first.id })}>
            {UI_WORDING.previousPage}
          </QuietButton>
          <QuietButton disabled={!hasNext} onClick={() => params.goTo({ after: last.id })}>
            {UI_WORDING.nextPage}
          </QuietButton>
        </nav>
      )}
    </>
  )
}
