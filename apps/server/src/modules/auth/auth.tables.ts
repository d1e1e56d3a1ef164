import type { ChallengePurpose, RoleName } from '@dct/api-contract/auth'
import type { Generated } from 'kysely'

export type AppUserTable = {
  id: Generated<bigint>
  /** 20 bytes; unique among users that are not deleted. */
  address: Buffer
  email: string | null
  role: Generated<RoleName>
  referral_code: string
  referrer_id: bigint | null
  /** How many referrers stand above. */
  depth: Generated<number>
  referral_reward_bps: Generated<number>
  created_at: Date
  terms_version: string | null
  terms_accepted_at: Date | null
  deleted_at: Date | null
}

export type AuthChallengeTable = {
  nonce: string
  purpose: ChallengePurpose
  address: Buffer
  /** What the text names besides the address; its keys depend on the purpose. */
  payload: Record<string, string>
  /** Where the request came from, for the bound on live challenges. */
  origin_key: string
  issued_at: Date
  expires_at: Date
  used_at: Date | null
}

export type AuthSessionTable = {
  id: Generated<bigint>
  token_hash: Buffer
  user_id: bigint
  /** The role that the session was opened for: another role of the user ends it. */
  role: RoleName
  created_at: Date
  last_seen_at: Date
  /** Moves with use, never beyond `ends_at`. */
  expires_at: Date
  ends_at: Date
  /** The last fresh wallet signature for sensitive acts. */
  confirmed_at: Date | null
  network: string
  user_agent: string
}

export type RequestCountTable = { key: string; window_start: Date; used: number }

declare module '../../platform/db.ts' {
  interface DB {
    app_user: AppUserTable
    auth_challenge: AuthChallengeTable
    auth_session: AuthSessionTable
    request_count: RequestCountTable
  }
}
