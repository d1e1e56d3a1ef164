import type {
  MoneySettingHistoryReply,
  MoneySettingsReply,
  SetMoneySettingBody,
  SetMoneySettingReply,
} from '@dct/api-contract/money-settings'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api } from '../../shared/api/client.ts'
import type { ListQuery } from '../../shared/api/wire.ts'
import { useRefreshingAction } from '../../shared/lib/use-refreshing-action.ts'

export const feeSettingQueries = {
  all: ['admin', 'money-settings'] as const,
  now: queryOptions({
    queryKey: ['admin', 'money-settings', 'now'] as const,
    queryFn: ({ signal }) => api.get<MoneySettingsReply>('/admin/money-settings', { signal }),
  }),
  history: (query: ListQuery) =>
    queryOptions({
      queryKey: ['admin', 'money-settings', 'history', query] as const,
      queryFn: ({ signal }) =>
        api.get<MoneySettingHistoryReply>('/admin/money-settings-history', { query, signal }),
      select: ({ changes: rows, ...frame }) => ({ rows, ...frame }),
      placeholderData: keepPreviousData,
    }),
}

/** Sets a value, or proposes it if there is another admin. */
export function useSetFeeSetting() {
  return useRefreshingAction(feeSettingQueries.all, (body: SetMoneySettingBody) =>
    api.post<SetMoneySettingReply>('/admin/money-settings', body),
  )
}
