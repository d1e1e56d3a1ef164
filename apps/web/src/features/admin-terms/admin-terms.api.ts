import type {
  AdminConsentsReply,
  AdminTermsReply,
  PublishTermsBody,
  PublishTermsReply,
} from '@dct/api-contract/terms'
import type { PublishedText } from '@dct/rules/terms-placeholders'
import { keepPreviousData, queryOptions, useQueryClient } from '@tanstack/react-query'
import { api } from '../../shared/api/client.ts'
import type { ListQuery } from '../../shared/api/wire.ts'
import { useAction } from '../../shared/lib/use-once.ts'

export const versionsQuery = (kind: PublishedText) =>
  queryOptions({
    queryKey: ['admin', 'published', kind] as const,
    queryFn: ({ signal }) => api.get<AdminTermsReply>(`/admin/${kind}`, { signal }),
  })

export const consentsQuery = (query: ListQuery & { version?: string }) =>
  queryOptions({
    queryKey: ['admin', 'published', 'consents', query] as const,
    queryFn: ({ signal }) =>
      api.get<AdminConsentsReply>('/admin/terms/consents', { query, signal }),
    select: ({ consents: rows, ...frame }) => ({ rows, ...frame }),
    placeholderData: keepPreviousData,
  })

export function usePublish(kind: PublishedText) {
  const queryClient = useQueryClient()
  return useAction({
    mutationFn: (body: PublishTermsBody) => api.post<PublishTermsReply>(`/admin/${kind}`, body),
    // Not awaited: the new version replaces the form, and the caller's `onSuccess` must run before that.
    onSettled: () => void queryClient.invalidateQueries({ queryKey: ['admin', 'published'] }),
  })
}
