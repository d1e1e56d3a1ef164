import type { MessageKind } from '@dct/api-contract/messages'
import type { Asset } from '@dct/money'

/** A kind of message that holders can choose, or one that they have just requested. */
export type SentKind = MessageKind | 'test' | 'confirm_email'

const PREFIX = 'message.'

/** The type of outbox messages of a kind. */
export function typeOf(kind: SentKind): string {
  return `${PREFIX}${kind}`
}

export function kindOf({ type }: { type: string }): SentKind {
  return type.slice(PREFIX.length) as SentKind
}

/** An amount in base units. */
export type Money = { asset: Asset; units: bigint }

/** `lapses_on`: the first day whose reward is lost, or `none`. `open_fee`: whether a fee must be paid before a claim. */
type FreezeFacts = { plan_code: string; lapses_on: string; open_fee: string }

/** The facts in a message of each kind. Days are business days, `YYYY-MM-DD`; instants are ISO 8601 texts. */
export type MessageFacts = {
  freeze_reminder: FreezeFacts & {
    days: number
    freezes_on: string
    /** The day from which a claim is possible. */
    opens_on: string
    /** Whether a claim is possible now, only later, or only after the freeze. */
    variant: '' | 'Later' | 'Grace'
  }
  /** `Losing`: its rewards are being lost, `amount` since `since_on`. */
  frozen: FreezeFacts & ({ variant: '' } | { variant: 'Losing'; since_on: string; amount: Money })
  /** `last_on`: the last day to claim `amount`, or to pay the fee of the last claim. */
  last_days: { plan_code: string; days: number; last_on: string } & (
    | { variant: 'Claim'; open_fee: string; amount: Money }
    | { variant: 'Fee' }
  )
  /** What is lost: the part of a claim that waited for its fee, or rewards that nobody claimed. */
  lapsed: { plan_code: string; amount: Money } & (
    | { variant: 'Claim'; claim_code: string }
    | { variant: 'Rewards' }
  )
  claimable: { plan_code: string; amount: Money }
  /**
   * Without a variant, the fee is paid by it; `Again`: the fee was paid already; `Wrong`: the fee is `expected`;
   * `Closed`: it can no longer be paid.
   */
  fee_seen: { plan_code: string; claim_code: string; amount: Money } & (
    | { variant: '' }
    | { variant: 'Again' | 'Wrong' | 'Closed'; expected: Money }
  )
  reward_sent: { plan_code: string; claim_code: string; amount: Money; tx_hash: string }
  capital_returned: { plan_code: string; amount: Money; tx_hash: string }
  referral_reward: { amount: Money }
  referral_claim_paid: { amount: Money; tx_hash: string }
  new_device: { device: string; network: string; at: string }
}

/** A message for a holder. */
export type HolderMessage = {
  [K in MessageKind]: {
    userId: bigint
    kind: K
    facts: MessageFacts[K]
    /** Identifies the fact permanently, so that it is reported once, even if it is booked again. */
    key: string
    at: Date
  }
}[MessageKind]
