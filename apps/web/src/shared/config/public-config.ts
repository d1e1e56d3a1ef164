import type { ConfigReply } from '@dct/api-contract/config'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { api } from '../api/client.ts'

/** Shown until the installation's own brand has loaded. */
export const DEFAULT_BRAND = 'DCT Earning'

/** GET /config: the public settings of this installation. */
export const configQuery = queryOptions({
  queryKey: ['config'],
  queryFn: ({ signal }) => api.get<ConfigReply>('/config', { signal }),
  staleTime: 60_000,
})

/** The installation's public settings; undefined until they are loaded. */
export function usePublicConfig(): ConfigReply | undefined {
  return useQuery(configQuery).data
}
