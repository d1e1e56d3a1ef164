import { ERRORS, type ErrorCode } from '@dct/api-contract/errors'
import { fillIn } from '@dct/api-contract/errors/shape'

export type Facts = Readonly<Record<string, string | number | boolean | null>>

/** An expected refusal: rolls the transaction back and reaches the caller as `code` with its message. */
export class Refusal extends Error {
  override name = 'Refusal'
  readonly code: ErrorCode
  readonly facts: Facts

  /**
   * The message is the catalogue's, with the facts that it names. `message` replaces it where a sentence is only known
   * at run time; the caller never sees the `cause`.
   */
  constructor(code: ErrorCode, facts: Facts = {}, message?: string, options?: ErrorOptions) {
    super(message ?? fillIn(ERRORS[code].message, facts), options)
    this.code = code
    this.facts = facts
  }

  get status(): number {
    return ERRORS[this.code].status
  }
}

/** An invariant that turned out to be false. It rolls the transaction back, and a call answers 500. */
export class InvariantViolation extends Error {
  override name = 'InvariantViolation'
}

export function invariant(condition: unknown, message: string): asserts condition {
  if (!condition) throw new InvariantViolation(message)
}
