import type {
  AdminConsentsReply,
  AdminTermsReply,
  PublishTermsBody,
  PublishTermsReply,
} from '@dct/api-contract/terms'
import { keepPreviousData, queryOptions, useQueryClient } from '@tanstack/react-query'
import { api } from '../../shared/api/client.ts'
import type { ListQuery } from '../../shared/api/wire.ts'
import { useAction } from '../../shared/lib/use-once.ts'

export const adminTermsQuery = queryOptions({
  queryKey: ['admin', 'terms'] as const,
  queryFn: ({ signal }) => api.get<AdminTermsReply>('/admin/terms', { signal }),
})

export const consentsQuery = (query: ListQuery & { version?: string }) =>
  queryOptions({
    queryKey: ['admin', 'terms', 'consents', query] as const,
    queryFn: ({ signal }) =>
      api.get<AdminConsentsReply>('/admin/terms/consents', { query, signal }),
    select: ({ consents: rows, ...frame }) => ({ rows, ...frame }),
    placeholderData: keepPreviousData,
  })

export function usePublishTerms() {
  const queryClient = useQueryClient()
  return useAction({
    mutationFn: (body: PublishTermsBody) => api.post<PublishTermsReply>('/admin/terms', body),
    // Not awaited: the new version replaces the form, and the caller's `onSuccess` must run before that.
    onSettled: () => void queryClient.invalidateQueries({ queryKey: ['admin', 'terms'] }),
  })
}
