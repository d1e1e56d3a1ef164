import type { ChallengePurpose, RoleName } from '@dct/api-contract/auth'
import type { Generated, Selectable } from 'kysely'
import { tablesOf } from '../../platform/database/db.ts'

export type AppUserTable = {
  id: Generated<bigint>
  /** 20 bytes; unique among users that are not deleted. */
  address: Buffer
  email: string | null
  role: Generated<RoleName>
  referral_code: string
  referrer_id: bigint | null
  /** The number of referrers above. */
  depth: Generated<number>
  referral_reward_bps: Generated<number>
  created_at: Date
  deleted_at: Date | null
}

export type AuthChallengeTable = {
  nonce: string
  purpose: ChallengePurpose
  address: Buffer
  /** The contents of the text besides the address; the keys depend on the purpose. */
  payload: Record<string, string>
  /** The caller's network, for the limit on live challenges. */
  origin_key: string
  issued_at: Date
  expires_at: Date
  used_at: Date | null
}

export type AuthSessionTable = {
  id: Generated<bigint>
  token_hash: Buffer
  user_id: bigint
  /** The user's role when the session was opened. A change of role ends the session. */
  role: RoleName
  created_at: Date
  last_seen_at: Date
  /** Extended with use, never beyond `ends_at`. */
  expires_at: Date
  ends_at: Date
  /** When the session was last confirmed by a wallet signature, for sensitive actions. */
  confirmed_at: Date | null
  network: string
  user_agent: string
}

export type RequestCountTable = { key: string; window_start: Date; used: number }

/** The view through which other modules read accounts. */
export type AuthViews = {
  app_user_view: Selectable<AppUserTable>
}

export type AuthTables = {
  app_user: AppUserTable
  auth_challenge: AuthChallengeTable
  auth_session: AuthSessionTable
  request_count: RequestCountTable
}

export const own = tablesOf<AuthTables>()
