export type { User } from '@dct/api-contract/auth'

/** How every list is asked for; `search` and the dates only where the list knows them. */
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
