import { ERRORS, type ErrorCode } from '@dct/api-contract/errors'

export type Facts = Readonly<Record<string, string | number | boolean | null>>

/** An expected refusal: rolls the transaction back and reaches the caller as `code` with its message. */
export class Refusal extends Error {
  override name = 'Refusal'
  readonly code: ErrorCode
  readonly facts: Facts

  /**
   * `message` replaces the catalogue's text where the sentence must name amounts or hashes; the caller never sees the
   * `cause`.
   */
  constructor(code: ErrorCode, facts: Facts = {}, message?: string, options?: ErrorOptions) {
    super(message ?? ERRORS[code].message, options)
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
