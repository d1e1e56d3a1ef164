import type { ConfigReply } from '@dct/api-contract/config'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { isUnanswered } from '../api/api-error.ts'
import { api } from '../api/client.ts'

/** Shown until the installation's own brand has loaded. */
export const DEFAULT_BRAND = 'DCT Earning'

const ASK_AGAIN_MS = 5_000

/** GET /config: the public settings of this installation. */
export const configQuery = queryOptions({
  queryKey: ['config'],
  queryFn: ({ signal }) => api.get<ConfigReply>('/config', { signal }),
  staleTime: 60_000,
  refetchInterval: ({ state }) => (isUnanswered(state.error) ? ASK_AGAIN_MS : false),
})

/** The installation's public settings; undefined until they are loaded. */
export function usePublicConfig(): ConfigReply | undefined {
  return useQuery(configQuery).data
}

/** Whether the service did not respond when the page last asked for its settings. */
export function usePublicConfigUnanswered(): boolean {
  return isUnanswered(useQuery(configQuery).error)
}
