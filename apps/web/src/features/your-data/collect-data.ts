import type { HistoryItem, HistoryReply } from '@dct/api-contract/history'
import { api } from '../../shared/api/client.ts'

const AT_ONCE = 100

/** Everything that is stored about the signed-in holder, from the calls that show it on the pages. */
export async function collectData(): Promise<Record<string, unknown>> {
  const [me, sessions, messages, consents, history] = await Promise.all([
    api.get<{ user: object }>('/auth/me'),
    api.get<object>('/auth/sessions'),
    api.get<object>('/user/messages'),
    api.get<object>('/user/terms-consents'),
    wholeHistory(),
  ])
  return { account: me.user, ...sessions, messages: messages, terms: consents, history }
}

async function wholeHistory(): Promise<HistoryItem[]> {
  const items: HistoryItem[] = []
  for (let after: string | null | undefined; after !== null; ) {
    const query = { limit: AT_ONCE, rewards: 'daily', ...(after && { after }) }
    const page: HistoryReply = await api.get<HistoryReply>('/user/history', { query })
    items.push(...page.items)
    after = page.next
  }
  return items
}
