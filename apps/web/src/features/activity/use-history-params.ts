import type { HistoryGroup } from '@dct/api-contract/history'
import { HISTORY_PLACE } from '@dct/api-contract/lists'
import { useSearchParams } from 'react-router'
import { MAX_FILTER_LENGTH, readDays, shortText } from '../../shared/lib/list-params.ts'
import { useCleanAddress } from '../../shared/lib/use-clean-address.ts'
import type { HistoryFilters, HistoryPlace, HistoryView } from './activity.api.ts'

/** The groups of events to choose from, and the text that names each. */
export const GROUPS = [
  ['payments', 'kindPayments'],
  ['rewards', 'kindRewards'],
  ['claims', 'kindClaims'],
  ['capital', 'kindCapital'],
  ['referrals', 'kindReferrals'],
  ['account', 'kindAccount'],
] as const satisfies readonly (readonly [HistoryGroup, string])[]

const PLACE = new RegExp(HISTORY_PLACE)

const FIRST_PAGE = { after: '', before: '' }

type Name = 'kind' | 'plan' | 'from' | 'to' | 'rewards' | 'order'
export type HistoryParams = {
  filters: HistoryFilters
  view: HistoryView
  place: HistoryPlace
  isNarrowed: boolean
  /** Empty means the default. Every choice returns to the first page. */
  choose(choice: { [N in Name]?: string | undefined }): void
  goTo(place: HistoryPlace): void
  reset(): void
}

/** Keeps a history's filters and position in the URL, so that reload, Back and links restore them. */
export function useHistoryParams(): HistoryParams {
  const [params, setParams] = useSearchParams()
  useCleanAddress(clean)
  const read = (name: string) => params.get(name) || undefined
  const [kind] = GROUPS.find(([group]) => group === read('kind')) ?? []
  const filters: HistoryFilters = present({
    kind,
    earning_plan_code: shortText(read('plan') ?? '', MAX_FILTER_LENGTH) || undefined,
    ...daysOf(read('from'), read('to')),
  })
  const write = (changes: Readonly<Record<string, string | undefined>>, replace = false) =>
    void setParams(
      (current) => {
        const next = new URLSearchParams(current)
        for (const [name, value] of Object.entries({ ...FIRST_PAGE, ...changes })) {
          if (value === '') next.delete(name)
          else if (value !== undefined) next.set(name, value)
        }
        return next
      },
      { replace, preventScrollReset: true },
    )
  return {
    filters,
    view: {
      ...filters,
      rewards: read('rewards') === 'daily' ? 'daily' : 'monthly',
      sort_order: read('order') === 'asc' ? 'asc' : 'desc',
    },
    place: present({ after: placeOf(read('after')), before: placeOf(read('before')) }),
    isNarrowed: Object.keys(filters).length > 0,
    choose: (choice) => write(choice, choice.from !== undefined || choice.to !== undefined),
    goTo: (place) => write(place),
    reset: () => write({ kind: '', plan: '', from: '', to: '' }),
  }
}

/** The parameters without those that no history has. */
function clean(params: URLSearchParams): URLSearchParams {
  const next = new URLSearchParams(params)
  const { startDate: from, endDate: to } = readDays(
    params.get('from') ?? '',
    params.get('to') ?? '',
  )
  const kinds: readonly string[] = GROUPS.map(([group]) => group)
  const isPossible: Readonly<Record<string, (value: string) => boolean>> = {
    kind: (value) => kinds.includes(value),
    plan: (value) => shortText(value, MAX_FILTER_LENGTH) === value,
    from: (value) => value === from,
    to: (value) => value === to,
    rewards: (value) => value === 'daily' || value === 'monthly',
    order: (value) => value === 'asc' || value === 'desc',
    after: (value) => placeOf(value) !== undefined,
    before: (value) => placeOf(value) !== undefined,
  }
  for (const [name, fits] of Object.entries(isPossible)) {
    const values = next.getAll(name)
    if (values.length > 1 || values.some((value) => !fits(value))) next.delete(name)
  }
  return next
}

/** The days of a link; of an impossible pair, the first. */
function daysOf(
  from: string | undefined,
  to: string | undefined,
): Pick<HistoryFilters, 'start_date' | 'end_date'> {
  const { startDate, endDate } = readDays(from ?? '', to ?? '')
  return present({ start_date: startDate || undefined, end_date: endDate || undefined })
}

/** A position as the service sends it; any other means the first page. */
function placeOf(text: string | undefined): string | undefined {
  return text !== undefined && PLACE.test(text) ? text : undefined
}

type Present<T> = { [K in keyof T]?: Exclude<T[K], undefined> }
function present<T extends object>(values: T): Present<T> {
  const entries = Object.entries(values).filter(([, value]) => value !== undefined)
  return Object.fromEntries(entries) as Present<T>
}
