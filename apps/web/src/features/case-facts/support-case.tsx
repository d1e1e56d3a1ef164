import type { SupportCase } from '@dct/api-contract/reports'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { errorText } from '../../shared/api/api-error.ts'
import { api } from '../../shared/api/client.ts'
import { useTexts } from '../../shared/i18n/texts.ts'
import { NotLoaded } from '../../shared/ui/not-loaded.tsx'
import { CaseFacts } from './case-facts.tsx'
import { supportTexts } from './support-case.texts.ts'

const supportCaseQuery = (token: string) =>
  queryOptions({
    queryKey: ['support-case', token] as const,
    queryFn: ({ signal }) =>
      api.get<SupportCase>(`/public/cases/${encodeURIComponent(token)}`, { signal, token: null }),
  })

/** The case that a link's holder may see. */
export function LinkedCase({ token }: { token: string }) {
  const text = useTexts(supportTexts)
  const query = useQuery(supportCaseQuery(token))
  if (query.data === undefined) {
    return <NotLoaded query={query}>{errorText(query.error, text('failed'))}</NotLoaded>
  }
  return <CaseFacts found={query.data} />
}
