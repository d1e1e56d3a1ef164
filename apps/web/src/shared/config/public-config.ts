import type { ConfigReply } from '@dct/api-contract/config'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { api } from '../api/client.ts'

/** Shown until the installation's own brand is known. */
export const DEFAULT_BRAND = 'DCT Earning'

/** GET /config: what everybody may know about this installation. */
const configQuery = queryOptions({
  queryKey: ['config'],
  queryFn: ({ signal }) => api.get<ConfigReply>('/config', { signal }),
  staleTime: 60_000,
})

/** The installation's settings; undefined until they arrived. */
export function usePublicConfig(): ConfigReply | undefined {
  return useQuery(configQuery).data
}
