import type { SupportCase } from '@dct/api-contract/reports'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { errorText } from '../../shared/api/api-error.ts'
import { api } from '../../shared/api/client.ts'
import { useTexts } from '../../shared/i18n/texts.ts'
import { LoadFailed } from '../../shared/ui/load-failed.tsx'
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
  if (query.isPending) return <span className="skeleton skeleton--block" aria-busy="true" />
  if (query.data === undefined) {
    return (
      <LoadFailed onRetry={() => void query.refetch()}>
        {errorText(query.error, text('failed'))}
      </LoadFailed>
    )
  }
  return <CaseFacts found={query.data} />
}
