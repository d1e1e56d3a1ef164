/**
 * A money step is one asking of a wallet to pay or to lock: whether anything left is known only once the wallet answers,
 * and the page that asked may be gone by then. So each is stored before the wallet is asked, and the next one for the
 * same purpose has to get past those that may still be under way.
 */
export type MoneyStep = {
  /** Identifies the asking; chosen by the page that asks. */
  attempt: string
  /** Milliseconds since 1970. */
  askedAt: number
  /**
   * `waiting`: a page waits for the wallet's answer now. `asked`: the page is gone or gave up, so the wallet may still
   * send, or have sent. `sent`: the wallet has answered with a hash. `checking`: the service is looking at that
   * transaction. `arrived`: money that may have been meant for this has reached us.
   */
  state: 'waiting' | 'asked' | 'sent' | 'checking' | 'arrived'
  hash: string | null
}

/** A transaction on Tron is signed by the wallet but sent by the page, and expires within minutes. */
const TRON_STEP_MS = 15 * 60_000

/**
 * What a step may be for; its name is `<kind>:<what>`. `isShared`: all admins share it, otherwise each user has their own.
 * `overAfterMs`: how long a step without a hash may still send something; null for ever, because the wallet sends.
 */
export const STEP_KINDS = {
  /** The fee of a claim. */
  fee: { isShared: false, overAfterMs: null },
  /** The approval and the lock of a join. */
  join: { isShared: false, overAfterMs: TRON_STEP_MS },
  /** The approval and the funding of a plan. */
  fund: { isShared: true, overAfterMs: TRON_STEP_MS },
  /** A payment that is sent back. */
  refund: { isShared: true, overAfterMs: null },
} as const

export type StepKind = keyof typeof STEP_KINDS

/** The kind in a step's name; undefined if it has none. */
export function kindOfStep(step: string): StepKind | undefined {
  const kind = step.split(':', 1)[0] ?? ''
  return Object.hasOwn(STEP_KINDS, kind) ? (kind as StepKind) : undefined
}

/** How long a page's word that it waits for a wallet counts; it repeats it three times as often. */
export const STEP_LEASE_MS = 45_000

export type StepAnswer =
  | { kind: 'granted' }
  /** Refused. With `mayConfirm`, a press that names all attempts of `steps` as `known` is granted. */
  | { kind: 'taken'; mayConfirm: boolean; steps: readonly MoneyStep[] }

/**
 * Whether a wallet may be asked, given the steps for the same purpose that have not ended. While a page waits or a
 * transaction is being checked, never; otherwise only if the person who presses knows of every one of them.
 */
export function judgeStep(steps: readonly MoneyStep[], known: readonly string[]): StepAnswer {
  const isHeld = steps.some(({ state }) => state === 'waiting' || state === 'checking')
  if (isHeld) return { kind: 'taken', mayConfirm: false, steps }
  const isKnown = steps.every(({ attempt }) => known.includes(attempt))
  return isKnown ? { kind: 'granted' } : { kind: 'taken', mayConfirm: true, steps }
}
