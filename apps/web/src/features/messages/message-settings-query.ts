import type { MessageSettingsReply } from '@dct/api-contract/messages'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../../shared/api/client.ts'

export const messageSettingsQuery = queryOptions({
  queryKey: ['messages'] as const,
  queryFn: ({ signal }) => api.get<MessageSettingsReply>('/user/messages', { signal }),
})
