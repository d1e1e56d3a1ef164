import type { MessageReply } from '@dct/api-contract/common'
import type { Language } from '@dct/api-contract/languages'
import type {
  MessageChannel,
  MessageKind,
  SubscriptionReply,
  TelegramLinkReply,
} from '@dct/api-contract/messages'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../../shared/api/client.ts'
import { useLanguage } from '../../shared/i18n/texts.ts'
import { useRefreshingAction } from '../../shared/lib/use-refreshing-action.ts'
import { messageSettingsQuery } from './message-settings-query.ts'

const PATH = '/user/messages'

/** The language of the pages, which messages should use too. */
export function useMessageLanguage(): Language {
  return useLanguage() as Language
}

type Change<V> = (variables: V) => Promise<unknown>

/** Changes the settings; the button stays busy until the page shows what the service has stored. */
export function useChange<V = void>(change: Change<V>) {
  return useRefreshingAction(messageSettingsQuery.queryKey, change)
}

export const messages = {
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
  choose: (body: { kind: MessageKind; channel: MessageChannel; is_wanted: boolean }) =>
    api.put<MessageReply>(`${PATH}/choices`, body),
  setLanguage: (language: Language) => api.put<MessageReply>(`${PATH}/language`, { language }),
  test: (channel: MessageChannel) => api.post<MessageReply>(`${PATH}/test`, { channel }),
}

/** The requests behind links in emails, which work without a session, on any device. */
export const messageLinks = {
  confirmEmail: (token: string) =>
    api.post<MessageReply>('/messages/confirm-email', { token }, { token: null }),
  subscription: (token: string) =>
    queryOptions({
      queryKey: ['messages', 'subscription', token] as const,
      queryFn: ({ signal }) =>
        api.get<SubscriptionReply>('/messages/subscription', {
          query: { token },
          signal,
          token: null,
        }),
    }),
  unsubscribe: (token: string) =>
    api.post<MessageReply>('/messages/unsubscribe', {}, { query: { token }, token: null }),
}
