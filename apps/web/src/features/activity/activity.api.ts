import type {
  HistoryFormat,
  HistoryGroup,
  HistoryItem,
  HistoryReply,
} from '@dct/api-contract/history'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api } from '../../shared/api/client.ts'
import type { SortOrder } from '../../shared/api/wire.ts'

export type HistoryFilters = {
  kind?: HistoryGroup
  earning_plan_code?: string
  start_date?: string
  end_date?: string
}
export type HistoryView = HistoryFilters & { rewards: 'daily' | 'monthly'; sort_order: SortOrder }
/** A page's cursor: the item that it starts after or ends before; neither for the first page. */
export type HistoryPlace = { after?: string; before?: string }

/** One page, and whether there is one before and after it. */
export type HistoryPage = { items: readonly HistoryItem[]; hasPrevious: boolean; hasNext: boolean }

export const activityQueries = {
  page: (view: HistoryView, place: HistoryPlace) =>
    queryOptions({
      queryKey: ['history', view, place] as const,
      queryFn: ({ signal }) => readPage(view, place, signal),
      placeholderData: keepPreviousData,
    }),
  file: (format: HistoryFormat, filters: HistoryFilters) =>
    api.file('/user/history', { query: { format, ...filters } }),
}

/** The page before an item is the page after it in the opposite order, read from its end. */
async function readPage(
  view: HistoryView,
  { after, before }: HistoryPlace,
  signal: AbortSignal,
): Promise<HistoryPage> {
  const opposite = view.sort_order === 'asc' ? 'desc' : 'asc'
  const query = {
    ...view,
    ...(after !== undefined && { after }),
    ...(before !== undefined && { after: before, sort_order: opposite }),
  }
  const { items, next } = await api.get<HistoryReply>('/user/history', { query, signal })
  return before === undefined
    ? { items, hasPrevious: after !== undefined, hasNext: next !== null }
    : { items: items.toReversed(), hasPrevious: next !== null, hasNext: true }
}
