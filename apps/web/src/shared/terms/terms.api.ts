import type { MessageReply } from '@dct/api-contract/common'
import type { AcceptTermsBody, TermsReply } from '@dct/api-contract/terms'
import type { PublishedText } from '@dct/rules/terms-placeholders'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../api/client.ts'

/** The versions of the terms or of the privacy notice that are in force and to come. */
export const textQuery = (kind: PublishedText) =>
  queryOptions({
    queryKey: ['published', kind] as const,
    queryFn: ({ signal }) => api.get<TermsReply>(`/public/${kind}`, { signal, token: null }),
  })
export const termsQuery = textQuery('terms')

export function acceptTerms(body: AcceptTermsBody): Promise<MessageReply> {
  return api.post('/user/terms-consents', body)
}
