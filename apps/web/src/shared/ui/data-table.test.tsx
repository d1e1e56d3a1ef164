import { expect, test } from 'vitest'
import { initialListState } from '../lib/list-params.ts'
import type { ListControls } from '../lib/use-list-params.ts'
import { toHtml } from '../testing/to-html.tsx'
import { DataTable } from './data-table.tsx'

const state = initialListState({ sortable: ['name'], sortBy: 'name', sortOrder: 'asc' })
const still: Omit<ListControls, 'state' | 'isNarrowed'> = {
  query: { page: 1, limit: 10, sort_by: 'name', sort_order: 'asc' },
  ...{ setPage() {}, sortBy() {}, setSearch() {}, setDates() {}, setFilter() {}, reset() {} },
}

type Shown = {
  rows?: number
  columns?: number
  search?: string
  isQuiet?: boolean
  totalPages?: number
}

function show({
  rows = 0,
  columns = 1,
  search = '',
  isQuiet = false,
  totalPages = 1,
}: Shown): string {
  const result = {
    data: { rows: Array.from({ length: rows }, (_, index) => `row ${index}`), totalPages },
    ...{ error: null, isPending: false, isFetching: false, isRefetchError: false },
    ...{ dataUpdatedAt: 0, refetch: () => undefined },
  }
  return toHtml(
    <DataTable
      caption="Rows"
      columns={Array.from({ length: columns }, (_, index) => ({
        ...{ id: `name ${index}`, header: 'Name', isSortable: true },
        cell: (row: string) => row,
      }))}
      rowKey={(row) => row}
      list={{ ...still, state: { ...state, search }, isNarrowed: search !== '' }}
      result={result}
      emptyText="Nothing yet."
      isOwnEmptyText
      isQuiet={isQuiet}
      searchLabel="Search"
    />,
  )
}

test('finding nothing and having nothing are two sentences', () => {
  expect(show({})).toContain('Nothing yet.')
  const found = show({ search: 'abc' })
  expect(found).toContain('Nothing matches the search.')
  expect(found).not.toContain('Nothing yet.')
})

test('a quiet list has its search only where rows are, and its pager only where pages are', () => {
  const has = (shown: Shown) => {
    const html = show({ ...shown, isQuiet: true })
    return [html.includes('type="search"'), html.includes('class="pager"')]
  }
  expect(has({})).toEqual([false, false])
  expect(has({ rows: 2 })).toEqual([false, false])
  expect(has({ rows: 4 })).toEqual([true, false])
  expect(has({ rows: 10, totalPages: 2 })).toEqual([true, true])
  // What narrows the list can be taken back.
  expect(has({ search: 'abc' })).toEqual([true, true])
})

test('sorting on a phone is behind one button, where rows are', () => {
  const sort = '<details class="data-table__phone-sort">'
  expect(show({ rows: 2 })).toContain(sort)
  expect(show({})).not.toContain(sort)
})

test('of a row on a phone three columns are in view, and the rest unfolds', () => {
  const wide = show({ rows: 1, columns: 5 })
  expect(wide.match(/data-main="true"/g)).toHaveLength(3)
  expect(wide.match(/aria-expanded="false"/g)).toHaveLength(1)
  expect(show({ rows: 1, columns: 3 })).not.toContain('aria-expanded')
})
