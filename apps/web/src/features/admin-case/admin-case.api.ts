import type { CaseLinkReply, CaseReply } from '@dct/api-contract/reports'
import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { api } from '../../shared/api/client.ts'
import { useAction } from '../../shared/lib/use-once.ts'

const pathOf = (code: string) => `/admin/cases/${encodeURIComponent(code)}`

export const caseQuery = (code: string) =>
  queryOptions({
    queryKey: ['admin', 'case', code] as const,
    queryFn: ({ signal }) => api.get<CaseReply>(pathOf(code), { signal }),
  })

function useCaseAct<Input, Answer>(code: string, act: (input: Input) => Promise<Answer>) {
  const queryClient = useQueryClient()
  return useAction({
    mutationFn: act,
    onSuccess: () => queryClient.invalidateQueries({ queryKey: caseQuery(code).queryKey }),
  })
}

export const useAddNote = (code: string) =>
  useCaseAct(code, (text: string) => api.post(`${pathOf(code)}/notes`, { text }))

/** Creates a link. The reply contains its token, which cannot be shown again. */
export const useMakeLink = (code: string) =>
  useCaseAct(code, (hours: number) => api.post<CaseLinkReply>(`${pathOf(code)}/links`, { hours }))

export const useRevokeLink = (code: string) =>
  useCaseAct(code, (id: string) => api.delete(`${pathOf(code)}/links/${id}`))
