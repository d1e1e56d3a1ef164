/** Words in the language of the moment at which they are shown, because it may change while an action runs. */
export type Words = () => string

/** How a running action reports its progress to the overlay. */
export type TxReport = {
  /** Starts a step; the previous one is done. One that was not foreseen is added here, with its label. */
  step(id: string, label?: Words): void
  /** Marks a step as not needed this time. */
  skip(id: string): void
  log(line: Words): void
  /** Call it when the wallet is about to prompt the user. */
  asked(): void
  signed(hash: string): void
  included(): void
  /** When the countdown ends, in milliseconds since 1970. */
  readonly deadline: number
  /** Aborted when the user stops waiting for the wallet; nothing may be sent from then on. */
  readonly signal: AbortSignal
}

/** A report for work that runs in the background, without an overlay. */
export function silentReport(deadline: number): TxReport {
  const ignore = () => undefined
  return {
    step: ignore,
    skip: ignore,
    log: ignore,
    asked: ignore,
    signed: ignore,
    included: ignore,
    deadline,
    signal: new AbortController().signal,
  }
}
