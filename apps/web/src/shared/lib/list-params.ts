import { LAST_PAGE, MAX_SEARCH_LENGTH, PAGE_SIZE } from '@dct/api-contract/lists'
import { isBusinessDay } from '@dct/rules/business-day'
import type { ListQuery, SortOrder } from '../api/wire.ts'

export const FIRST_PAGE = 1
/** The length of the longest plan code or address. */
export const MAX_FILTER_LENGTH = 64

/** Everything a user can choose on a list. Each list has its own filters, by name. */
export type ListState = {
  page: number
  search: string
  sortBy: string
  sortOrder: SortOrder
  startDate: string
  endDate: string
  filters: Readonly<Record<string, string>>
}

/** A list's initial state; several lists on one page need different prefixes. */
export type ListDefaults = {
  prefix?: string
  /** What the service can sort it by. */
  sortable: readonly string[]
  sortBy: string
  sortOrder: SortOrder
  filters?: Readonly<Record<string, string>>
  /** The values of filters that are chosen from a fixed list. */
  choices?: Readonly<Record<string, readonly string[]>>
}

export function initialListState({ sortBy, sortOrder, filters = {} }: ListDefaults): ListState {
  return { page: FIRST_PAGE, search: '', sortBy, sortOrder, startDate: '', endDate: '', filters }
}

/**
 * Reads the list's state from the URL's parameters. What is missing, or what the service would refuse, falls back to the
 * default.
 */
export function readListState(params: URLSearchParams, defaults: ListDefaults): ListState {
  const prefix = defaults.prefix ?? ''
  const read = (name: string) => params.get(prefix + name)
  const initial = initialListState(defaults)
  const sort = read('sort') ?? ''
  const order = read('order')
  const filterOf = (name: string, usual: string) => {
    const value = shortText(read(name) ?? usual, MAX_FILTER_LENGTH)
    const choices = defaults.choices?.[name]
    return choices === undefined || choices.includes(value) ? value : usual
  }
  return {
    page: pageOf(read('page')),
    search: shortText(read('search') ?? '', MAX_SEARCH_LENGTH),
    sortBy: defaults.sortable.includes(sort) ? sort : initial.sortBy,
    sortOrder: order === 'asc' || order === 'desc' ? order : initial.sortOrder,
    ...readDays(read('from') ?? '', read('to') ?? ''),
    filters: Object.fromEntries(
      Object.entries(initial.filters).map(([name, usual]) => [name, filterOf(name, usual)]),
    ),
  }
}

/** A copy of the URL's parameters with this state written in; defaults are left out. */
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

/** Choosing the sorted column again reverses its direction; another column starts ascending. */
export function sortedBy(state: ListState, column: string): ListState {
  const isSame = state.sortBy === column
  const sortOrder: SortOrder = isSame && state.sortOrder === 'asc' ? 'desc' : 'asc'
  return { ...state, page: FIRST_PAGE, sortBy: column, sortOrder }
}

/** Whether a search, a date or a filter narrows the list. */
export function isNarrowed(state: ListState, defaults: ListDefaults): boolean {
  const usual = defaults.filters ?? {}
  const hasFilter = Object.entries(state.filters).some(([name, value]) => value !== usual[name])
  return state.search !== '' || state.startDate !== '' || state.endDate !== '' || hasFilter
}

/** The state as the API's list query; without the filters, which differ from list to list. */
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
  return Number.isSafeInteger(page) && page >= FIRST_PAGE && page <= LAST_PAGE ? page : FIRST_PAGE
}

/** A text as far as the service accepts it: no control characters, and not too long. */
export function shortText(text: string, most: number): string {
  return text.replaceAll(/\p{Cc}/gu, '').slice(0, most)
}

/** The days of a link, as far as the service accepts them; empty means open. */
export function readDays(from: string, to: string): Pick<ListState, 'startDate' | 'endDate'> {
  const startDate = isBusinessDay(from) ? from : ''
  const isPossible = isBusinessDay(to) && (startDate === '' || startDate <= to)
  return { startDate, endDate: isPossible ? to : '' }
}
