import type { EmailProblem, NoticeChannel } from '@dct/api-contract/notices'
import type { Generated } from 'kysely'
import { tablesOf } from '../../platform/database/db.ts'

/** Times are real time. */
export type NoticeChannelTable = {
  id: Generated<bigint>
  user_id: bigint
  kind: NoticeChannel
  address: string
  label: string
  push_key: string | null
  push_secret: string | null
  created_at: Date
  confirmed_at: Date | null
  ended_at: Date | null
  problem: EmailProblem | null
}

export type NoticesTables = {
  notice_channel: NoticeChannelTable
  notice_language: { user_id: bigint; language: string }
  notice_refusal: { user_id: bigint; kind: string; channel: NoticeChannel }
  notice_token: {
    token_hash: Buffer
    purpose: 'confirm_email' | 'unsubscribe' | 'link_telegram'
    user_id: bigint
    channel_id: bigint | null
    notice_kind: string | null
    expires_at: Date
  }
  known_device: {
    user_id: bigint
    device_hash: Buffer
    first_seen_at: Date
    last_seen_at: Date
  }
  notice_bot: {
    single: Generated<boolean>
    username: string | null
    next_update: Generated<bigint>
    taken_until: Generated<Date>
  }
}

/** The view for other modules: holders with at least one active channel. */
export type NoticesViews = { listener_view: { user_id: bigint; address: Buffer } }

export const own = tablesOf<NoticesTables>()
