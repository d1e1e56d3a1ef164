/** How a running action tells the overlay where it is. */
export type TxReport = {
  /** The step begins; the one before it is done. */
  step(id: string): void
  /** The step is not needed this time. */
  skip(id: string): void
  log(line: string): void
  /** The wallet is about to show its question. */
  asked(): void
  signed(hash: string): void
  included(): void
  /** When the countdown ends, in milliseconds since 1970. */
  readonly deadline: number
}

/** For work that goes on behind the page, with no overlay to tell. */
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
  }
}
