import type { ConfigReply } from '@dct/api-contract/config'
import { addDays, businessDayOf, startOfBusinessDay } from '@dct/rules/business-day'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { isUnanswered } from '../api/api-error.ts'
import { api } from '../api/client.ts'
import { clock } from '../clock.ts'

/** Shown until the installation's own brand has loaded. */
export const DEFAULT_BRAND = 'DCT Earning'

const ASK_AGAIN_MS = 5_000
/** The service's day may begin a little after the browser's. */
const AFTER_MIDNIGHT_MS = 2_000

/** GET /config: the public settings of this installation. */
export const configQuery = queryOptions({
  queryKey: ['config'],
  queryFn: ({ signal }) => api.get<ConfigReply>('/config', { signal }),
  staleTime: 60_000,
  // A page that is open at midnight learns the new day, on which every date of its depends.
  refetchInterval: ({ state }) =>
    isUnanswered(state.error) ? ASK_AGAIN_MS : untilNextDay(clock.now()) + AFTER_MIDNIGHT_MS,
  refetchIntervalInBackground: true,
})

/** The installation's public settings; undefined until they are loaded. */
export function usePublicConfig(): ConfigReply | undefined {
  return useQuery(configQuery).data
}

/** Whether the service did not respond when the page last asked for its settings. */
export function usePublicConfigUnanswered(): boolean {
  return isUnanswered(useQuery(configQuery).error)
}

/** The milliseconds until the next business day begins. */
function untilNextDay(now: Date): number {
  return startOfBusinessDay(addDays(businessDayOf(now), 1)).getTime() - now.getTime()
}
