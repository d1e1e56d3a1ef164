import { type Static, Type } from 'typebox'
import { AmountText, Nullable, OneOf, Strict, Timestamp, TronAddressText } from './common.ts'
import { TermsLanguage } from './terms.ts'

export const CHALLENGE_PURPOSES = ['login', 'register', 'referral_claim', 'step_up'] as const
export const ChallengePurpose = OneOf(...CHALLENGE_PURPOSES)
export type ChallengePurpose = Static<typeof ChallengePurpose>

export const ROLES = ['user', 'admin'] as const
export const RoleName = OneOf(...ROLES)
export type RoleName = Static<typeof RoleName>

const Email = Type.String({ maxLength: 1_000 })
/** Empty and null mean no referrer. */
const ReferrerCode = Nullable(Type.String({ maxLength: 200 }))
/** Optional in the schema, so that a call without proof gets 401 instead of a validation error. */
const Proof = {
  nonce: Type.Optional(Type.String({ maxLength: 100 })),
  signature: Type.Optional(Type.String({ maxLength: 15_000 })),
}

/**
 * The additional fields by purpose: `email` and `referrer_code` for register; `usdt_address` and `type` for
 * referral_claim. referral_claim and step_up need the bearer token.
 */
export const ChallengeBody = Strict({
  tron_address: TronAddressText,
  purpose: ChallengePurpose,
  email: Type.Optional(Email),
  referrer_code: Type.Optional(ReferrerCode),
  usdt_address: Type.Optional(Type.String({ maxLength: 100 })),
  type: Type.Optional(Type.String({ maxLength: 40 })),
})
export type ChallengeBody = Static<typeof ChallengeBody>

export const ChallengeReply = Type.Object({
  message: Type.String({ description: 'Sign exactly this text with signMessageV2.' }),
  nonce: Type.String(),
  expires_at: Timestamp,
})
export type ChallengeReply = Static<typeof ChallengeReply>

export const LoginBody = Strict({
  tron_address: TronAddressText,
  ...Proof,
  device: Type.Optional(
    Type.String({
      pattern: '^[A-Za-z0-9_-]{16,64}$',
      description: 'A random text that a browser stores, so that it can be recognised later.',
    }),
  ),
})
export type LoginBody = Static<typeof LoginBody>

export const RegisterBody = Strict({
  tron_address: TronAddressText,
  email: Email,
  referrer_code: Type.Optional(ReferrerCode),
  accept_terms: Type.Optional(Type.Boolean()),
  terms_language: Type.Optional(
    Type.Union([TermsLanguage], {
      description: 'The language in which the terms were read; Indonesian if omitted.',
    }),
  ),
  ...Proof,
})
export type RegisterBody = Static<typeof RegisterBody>

/** A body with a signature by the session's own wallet. */
export const ProofBody = Strict(Proof)
export type ProofBody = Static<typeof ProofBody>

export const UserFields = {
  id: Type.String(),
  tron_address: Type.String(),
  email: Nullable(Type.String()),
  referrer_code: Nullable(Type.String()),
  role: RoleName,
  referral_code: Type.String(),
  referrer_tron_address: Nullable(Type.String()),
  created_at: Timestamp,
  total_referrals: Type.Integer(),
  referral_reward_percentage: Type.String({ examples: ['12.5'] }),
  total_referral_omset: AmountText,
  total_direct_reward: AmountText,
  total_indirect_reward: AmountText,
  total_direct_claimed: AmountText,
  total_indirect_claimed: AmountText,
  total_direct_unclaimed: AmountText,
  total_indirect_unclaimed: AmountText,
}
export const User = Type.Object(UserFields)
export type User = Static<typeof User>

export const LoginReply = Type.Object({ token: Type.String(), expires_at: Timestamp, user: User })
export type LoginReply = Static<typeof LoginReply>

export const RegisterReply = Type.Object({
  message: Type.String({ examples: ['Successful registration'] }),
  referral_code: Type.String(),
  referrer_tron_address: Nullable(Type.String()),
})
export type RegisterReply = Static<typeof RegisterReply>

/** The user is both under `user` and at the top level, because this call has two names. */
export const MeReply = Type.Object({
  user: User,
  ...UserFields,
  change_mark: Nullable(
    Type.String({
      description: 'The mark from which a holder can ask GET /user/changes for changes.',
    }),
  ),
})
export type MeReply = Static<typeof MeReply>

export const Session = Type.Object({
  id: Type.String(),
  created_at: Timestamp,
  last_seen_at: Timestamp,
  expires_at: Timestamp,
  network: Type.String({ examples: ['203.0.113.0/24'] }),
  user_agent: Type.String(),
  is_current: Type.Boolean(),
})
export type Session = Static<typeof Session>

export const SessionParams = Type.Object({ id: Type.String({ pattern: '^[0-9]{1,18}$' }) })

export const SessionsReply = Type.Object({ sessions: Type.Array(Session) })
export type SessionsReply = Static<typeof SessionsReply>

export const StepUpReply = Type.Object({ message: Type.String(), confirmed_until: Timestamp })
export type StepUpReply = Static<typeof StepUpReply>
