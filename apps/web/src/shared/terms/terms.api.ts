import type { MessageReply } from '@dct/api-contract/common'
import type { AcceptTermsBody, TermsReply } from '@dct/api-contract/terms'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../api/client.ts'

export const termsQuery = queryOptions({
  queryKey: ['terms'] as const,
  queryFn: ({ signal }) => api.get<TermsReply>('/public/terms', { signal, token: null }),
})

export function acceptTerms(body: AcceptTermsBody): Promise<MessageReply> {
  return api.post('/user/terms-consents', body)
}
