import type { MessageReply } from '@dct/api-contract/common'
import type { Language } from '@dct/api-contract/languages'
import type {
  NoticeChannel,
  NoticeKind,
  SubscriptionReply,
  TelegramLinkReply,
} from '@dct/api-contract/notices'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../../shared/api/client.ts'
import { useLanguage } from '../../shared/i18n/texts.ts'
import { useRefreshingAction } from '../../shared/lib/use-refreshing-action.ts'
import { noticesQuery } from './notices-query.ts'

const PATH = '/user/notices'

/** The language of the pages, which messages should use too. */
export function useMessageLanguage(): Language {
  return useLanguage() as Language
}

type Change<V> = (variables: V) => Promise<unknown>

/** Changes the settings; the button stays busy until the page shows what the service has stored. */
export function useChange<V = void>(change: Change<V>) {
  return useRefreshingAction(noticesQuery.queryKey, change)
}

export const notices = {
  setEmail: (body: { address: string; language: Language }) =>
    api.put<MessageReply>(`${PATH}/email`, body),
  confirmAgain: () => api.post<MessageReply>(`${PATH}/email/confirmation`, {}),
  removeEmail: () => api.delete<MessageReply>(`${PATH}/email`),
  linkTelegram: (language: Language) =>
    api.post<TelegramLinkReply>(`${PATH}/telegram`, { language }),
  removeTelegram: () => api.delete<MessageReply>(`${PATH}/telegram`),
  subscribe: (subscription: PushSubscriptionJSON, language: Language) =>
    api.post<{ id: string }>(`${PATH}/push`, {
      endpoint: subscription.endpoint,
      keys: subscription.keys,
      language,
    }),
  removeDevice: (id: string) => api.delete<MessageReply>(`${PATH}/push/${id}`),
  choose: (body: { kind: NoticeKind; channel: NoticeChannel; is_wanted: boolean }) =>
    api.put<MessageReply>(`${PATH}/choices`, body),
  setLanguage: (language: Language) => api.put<MessageReply>(`${PATH}/language`, { language }),
  test: (channel: NoticeChannel) => api.post<MessageReply>(`${PATH}/test`, { channel }),
}

/** The requests behind links in emails, which work without a session, on any device. */
export const noticeLinks = {
  confirmEmail: (token: string) =>
    api.post<MessageReply>('/notices/confirm-email', { token }, { token: null }),
  subscription: (token: string) =>
    queryOptions({
      queryKey: ['notices', 'subscription', token] as const,
      queryFn: ({ signal }) =>
        api.get<SubscriptionReply>('/notices/subscription', {
          query: { token },
          signal,
          token: null,
        }),
    }),
  unsubscribe: (token: string) =>
    api.post<MessageReply>('/notices/unsubscribe', {}, { query: { token }, token: null }),
}
