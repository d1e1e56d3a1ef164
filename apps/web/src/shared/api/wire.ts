export type { User } from '@dct/api-contract/auth'

import { PAGE_SIZE } from '@dct/api-contract/lists'

/** The query of every list; `search` and the dates apply only to lists that support them. */
export type ListQuery = {
  page: number
  limit: number
  search?: string
  sort_by: string
  sort_order: SortOrder
  start_date?: string
  end_date?: string
}
export type SortOrder = 'asc' | 'desc'

/** The query for a list's first page in the given order, without a search. */
export function firstPage(order: { sortBy: string; sortOrder: SortOrder }): ListQuery {
  return { page: 1, limit: PAGE_SIZE, sort_by: order.sortBy, sort_order: order.sortOrder }
}
