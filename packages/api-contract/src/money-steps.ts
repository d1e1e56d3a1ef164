import { type Static, Type } from 'typebox'
import { Nullable, OneOf, Strict, Timestamp, TronAddressText } from './common.ts'

/** The name of a step: `fee:<claim code>`, `join:<plan code>`, `fund:<plan code>` or `refund:<transaction>:<log>`. */
const StepName = Type.String({
  pattern: '^(fee|join|fund|refund):[\\w:-]{1,90}$',
  maxLength: 100,
  examples: ['fee:CLAIM-1'],
})
/** Random, chosen by the page that asks. */
const Attempt = Type.String({ pattern: '^[0-9a-f]{32}$', examples: ['0'.repeat(32)] })
const TxHash = Type.String({
  pattern: '^(0x)?[0-9a-fA-F]{64}$',
  examples: [`0x${'ab'.repeat(32)}`],
})

export const MoneyStepEntry = Type.Object({
  attempt: Type.String(),
  step: Type.String(),
  tron_address: TronAddressText,
  asked_at: Timestamp,
  /** Until when a page waits for the wallet's answer; null once it does not wait any more. */
  waits_until: Nullable(Timestamp),
  state: OneOf('waiting', 'asked', 'sent'),
  tx_hash: Nullable(Type.String()),
})
export type MoneyStepEntry = Static<typeof MoneyStepEntry>

export const MoneyStepsQuery = Strict({ step: Type.Optional(StepName) })
export const MoneyStepsReply = Type.Object({ steps: Type.Array(MoneyStepEntry) })
export type MoneyStepsReply = Static<typeof MoneyStepsReply>

/** The attempts that the person knew of before pressing. */
export const KnownAttempts = Type.Array(Type.String({ maxLength: 100 }), { maxItems: 100 })

export const TakeStepBody = Strict({
  step: StepName,
  attempt: Attempt,
  known: KnownAttempts,
})
export type TakeStepBody = Static<typeof TakeStepBody>

/** `steps` are those that have not ended, without this one. */
export const TakeStepReply = Type.Object({
  is_granted: Type.Boolean(),
  may_confirm: Type.Boolean({
    description: 'Refused, but a call that names all attempts of `steps` as known is granted.',
  }),
  steps: Type.Array(MoneyStepEntry),
})
export type TakeStepReply = Static<typeof TakeStepReply>

/** What became of a step: still waiting, given up without an answer, sent, or certainly over. */
export const StepOutcome = OneOf('waiting', 'unknown', 'sent', 'ended')
export type StepOutcome = Static<typeof StepOutcome>

export const ReportStepBody = Strict({
  attempt: Attempt,
  outcome: StepOutcome,
  tx_hash: Type.Optional(TxHash),
})
export type ReportStepBody = Static<typeof ReportStepBody>
