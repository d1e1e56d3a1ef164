/** The time of both chains: real time plus an offset that only ever increases. */
export type ChainClock = {
  nowMs(): number
  offsetMs(): number
  setOffset(offsetMs: number): void
}

/** @param realMs a clock other than this process's, whose tests may set that wrong */
export function createChainClock(offsetMs = 0, realMs = () => Date.now()): ChainClock {
  let offset = offsetMs
  return {
    nowMs: () => realMs() + offset,
    offsetMs: () => offset,
    setOffset(next) {
      offset = Math.max(offset, next)
    },
  }
}
