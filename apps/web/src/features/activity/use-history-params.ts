import type { HistoryGroup } from '@dct/api-contract/history'
import { useSearchParams } from 'react-router'
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
  const read = (name: string) => params.get(name) || undefined
  const [kind] = GROUPS.find(([group]) => group === read('kind')) ?? []
  const filters: HistoryFilters = present({
    kind,
    earning_plan_code: read('plan'),
    start_date: read('from'),
    end_date: read('to'),
  })
  const write = (changes: Readonly<Record<string, string | undefined>>) =>
    void setParams(
      (current) => {
        const next = new URLSearchParams(current)
        for (const [name, value] of Object.entries({ ...FIRST_PAGE, ...changes })) {
          if (value === '') next.delete(name)
          else if (value !== undefined) next.set(name, value)
        }
        return next
      },
      { preventScrollReset: true },
    )
  return {
    filters,
    view: {
      ...filters,
      rewards: read('rewards') === 'daily' ? 'daily' : 'monthly',
      sort_order: read('order') === 'asc' ? 'asc' : 'desc',
    },
    place: present({ after: read('after'), before: read('before') }),
    isNarrowed: Object.keys(filters).length > 0,
    choose: write,
    goTo: write,
    reset: () => write({ kind: '', plan: '', from: '', to: '' }),
  }
}

type Present<T> = { [K in keyof T]?: Exclude<T[K], undefined> }
function present<T extends object>(values: T): Present<T> {
  const entries = Object.entries(values).filter(([, value]) => value !== undefined)
  return Object.fromEntries(entries) as Present<T>
}
