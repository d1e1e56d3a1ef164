/** The time of both chains: real time plus an offset that only ever increases. */
export type ChainClock = {
  nowMs(): number
  offsetMs(): number
  setOffset(offsetMs: number): void
}

export function createChainClock(offsetMs = 0): ChainClock {
  let offset = offsetMs
  return {
    nowMs: () => Date.now() + offset,
    offsetMs: () => offset,
    setOffset(next) {
      offset = Math.max(offset, next)
    },
  }
}
