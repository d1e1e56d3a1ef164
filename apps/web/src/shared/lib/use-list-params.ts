import { useLayoutEffect, useMemo, useRef, useState } from 'react'
import { useSearchParams } from 'react-router'
import type { ListQuery } from '../api/wire.ts'
import {
  FIRST_PAGE,
  initialListState,
  isNarrowed,
  type ListDefaults,
  type ListState,
  readListState,
  sortedBy,
  toListQuery,
  writeListState,
} from './list-params.ts'
import { useCleanAddress } from './use-clean-address.ts'

/** What a table needs to show and change its list's state. Every change except paging returns to page 1. */
export type ListControls = {
  state: ListState
  query: ListQuery
  isNarrowed: boolean
  setPage(page: number): void
  sortBy(column: string): void
  setSearch(search: string): void
  setDates(dates: { startDate?: string; endDate?: string }): void
  setFilter(name: string, value: string): void
  reset(): void
}

/**
 * Keeps a list's state in the URL, so that reload, Back and shared links restore it. What is typed replaces the present
 * entry of the browser's history; what is chosen adds one. `defaults` must be a module constant.
 */
export function useListParams(defaults: ListDefaults): ListControls {
  const [params, setParams] = useSearchParams()
  const state = useMemo(() => readListState(params, defaults), [params, defaults])
  useCleanAddress((current) => writeListState(current, defaults, readListState(current, defaults)))
  // The URL reflects a change only after the next render; another change may happen before that.
  const newest = useRef(state)
  useLayoutEffect(() => {
    newest.current = state
  }, [state])
  const change: Change = (next, replace = false) => {
    const changed = next(newest.current)
    newest.current = changed
    void setParams((current) => writeListState(current, defaults, changed), {
      replace,
      preventScrollReset: true,
    })
  }
  return controls(state, defaults, change)
}

/** The same for a list in a dialog, which has no URL. */
export function useListState(defaults: ListDefaults): ListControls {
  const [state, setState] = useState(() => initialListState(defaults))
  return controls(state, defaults, setState)
}

type Change = (next: (state: ListState) => ListState, replace?: boolean) => void

function controls(state: ListState, defaults: ListDefaults, change: Change): ListControls {
  const initial = initialListState(defaults)
  return {
    state,
    query: toListQuery(state),
    isNarrowed: isNarrowed(state, defaults),
    setPage: (page) => change((now) => ({ ...now, page })),
    sortBy: (column) => change((now) => sortedBy(now, column)),
    setSearch: (search) => change((now) => ({ ...now, search, page: FIRST_PAGE }), true),
    setDates: (dates) => change((now) => ({ ...now, ...dates, page: FIRST_PAGE }), true),
    setFilter: (name, value) =>
      change((now) => ({
        ...now,
        filters: { ...now.filters, [name]: value },
        page: FIRST_PAGE,
      })),
    reset: () => change(({ sortBy, sortOrder }) => ({ ...initial, sortBy, sortOrder })),
  }
}
