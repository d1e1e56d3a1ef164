import type { ListQuery, SortOrder } from '../api/wire.ts'

const PAGE_SIZE = 10
export const FIRST_PAGE = 1

/** Everything a person can choose on a list. Filters are the list's own, by name. */
export type ListState = {
  page: number
  search: string
  sortBy: string
  sortOrder: SortOrder
  startDate: string
  endDate: string
  filters: Readonly<Record<string, string>>
}

/** How a list starts; several lists on one page need different prefixes. */
export type ListDefaults = {
  prefix?: string
  sortBy: string
  sortOrder: SortOrder
  filters?: Readonly<Record<string, string>>
}

export function initialListState({ sortBy, sortOrder, filters = {} }: ListDefaults): ListState {
  return { page: FIRST_PAGE, search: '', sortBy, sortOrder, startDate: '', endDate: '', filters }
}

/** The list's state as an address says it; what is missing or makes no sense is the default. */
export function readListState(params: URLSearchParams, defaults: ListDefaults): ListState {
  const prefix = defaults.prefix ?? ''
  const read = (name: string) => params.get(prefix + name)
  const initial = initialListState(defaults)
  const order = read('order')
  return {
    page: pageOf(read('page')),
    search: read('search') ?? '',
    sortBy: read('sort') ?? initial.sortBy,
    sortOrder: order === 'asc' || order === 'desc' ? order : initial.sortOrder,
    startDate: dayOf(read('from')),
    endDate: dayOf(read('to')),
    filters: Object.fromEntries(
      Object.entries(initial.filters).map(([name, value]) => [name, read(name) ?? value]),
    ),
  }
}

/** A copy of the address' parameters that says this state; defaults are left out. */
export function writeListState(
  params: URLSearchParams,
  defaults: ListDefaults,
  state: ListState,
): URLSearchParams {
  const next = new URLSearchParams(params)
  const initial = initialListState(defaults)
  const write = (name: string, value: string, usual: string) => {
    const key = (defaults.prefix ?? '') + name
    if (value === usual) next.delete(key)
    else next.set(key, value)
  }
  write('page', String(state.page), String(initial.page))
  write('search', state.search, initial.search)
  write('sort', state.sortBy, initial.sortBy)
  write('order', state.sortOrder, initial.sortOrder)
  write('from', state.startDate, initial.startDate)
  write('to', state.endDate, initial.endDate)
  for (const [name, usual] of Object.entries(initial.filters)) {
    write(name, state.filters[name] ?? usual, usual)
  }
  return next
}

/** Choosing the sorted column turns its direction; another column starts ascending. */
export function sortedBy(state: ListState, column: string): ListState {
  const isSame = state.sortBy === column
  const sortOrder: SortOrder = isSame && state.sortOrder === 'asc' ? 'desc' : 'asc'
  return { ...state, page: FIRST_PAGE, sortBy: column, sortOrder }
}

/** Something other than the default narrows the list. */
export function isNarrowed(state: ListState, defaults: ListDefaults): boolean {
  const usual = defaults.filters ?? {}
  const hasFilter = Object.entries(state.filters).some(([name, value]) => value !== usual[name])
  return state.search !== '' || state.startDate !== '' || state.endDate !== '' || hasFilter
}

/** The state as the service wants to be asked. */
export function toListQuery(state: ListState): ListQuery {
  return {
    page: state.page,
    limit: PAGE_SIZE,
    sort_by: state.sortBy,
    sort_order: state.sortOrder,
    ...(state.search !== '' && { search: state.search }),
    ...(state.startDate !== '' && { start_date: state.startDate }),
    ...(state.endDate !== '' && { end_date: state.endDate }),
  }
}

function pageOf(text: string | null): number {
  const page = Number(text ?? FIRST_PAGE)
  return Number.isSafeInteger(page) && page >= FIRST_PAGE ? page : FIRST_PAGE
}

function dayOf(text: string | null): string {
  return text !== null && /^\d{4}-\d{2}-\d{2}$/.test(text) ? text : ''
}
