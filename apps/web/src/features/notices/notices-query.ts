import type { NoticesReply } from '@dct/api-contract/notices'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../../shared/api/client.ts'

export const noticesQuery = queryOptions({
  queryKey: ['notices'] as const,
  queryFn: ({ signal }) => api.get<NoticesReply>('/user/notices', { signal }),
})
