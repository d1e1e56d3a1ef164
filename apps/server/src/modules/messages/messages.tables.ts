import type { EmailProblem, MessageChannel } from '@dct/api-contract/messages'
import type { Generated } from 'kysely'
import { tablesOf } from '../../platform/database/db.ts'

/** Times are real time. */
export type MessageChannelTable = {
  id: Generated<bigint>
  user_id: bigint
  kind: MessageChannel
  address: string
  label: string
  push_key: string | null
  push_secret: string | null
  created_at: Date
  confirmed_at: Date | null
  ended_at: Date | null
  problem: EmailProblem | null
}

export type MessagesTables = {
  message_channel: MessageChannelTable
  message_language: { user_id: bigint; language: string }
  message_refusal: { user_id: bigint; kind: string; channel: MessageChannel }
  message_token: {
    token_hash: Buffer
    purpose: 'confirm_email' | 'unsubscribe' | 'link_telegram'
    user_id: bigint
    channel_id: bigint | null
    message_kind: string | null
    expires_at: Date
  }
  known_device: {
    user_id: bigint
    device_hash: Buffer
    first_seen_at: Date
    last_seen_at: Date
  }
  message_bot: {
    single: Generated<boolean>
    username: string | null
    next_update: Generated<bigint>
    taken_until: Generated<Date>
  }
}

/** The view for other modules: holders with at least one active channel. */
export type MessagesViews = { listener_view: { user_id: bigint; address: Buffer } }

export const own = tablesOf<MessagesTables>()
