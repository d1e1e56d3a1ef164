/** The number of blocks that one node searches for logs at once: found by asking, and remembered. */
export type LogRange = {
  /** At least 1. */
  size(): bigint
  /** Records that a search of so many blocks was refused, and how many the node said it allows. */
  tooWide(blocks: bigint, allowed: number | undefined): void
}

/** Tron's nodes search no more. */
const LARGEST = 5_000n
/** A refusal can be a passing fault, or the plan was upgraded since: now and then more is tried again. */
const RELAX_AFTER_MS = 60 * 60_000

/** @param nowMs real time in milliseconds, from any beginning */
export function createLogRange(nowMs = () => performance.now()): LogRange {
  let size = LARGEST
  let relaxAt = 0
  return {
    size() {
      if (size < LARGEST && nowMs() >= relaxAt) {
        size = lesser(LARGEST, size * 2n)
        relaxAt = nowMs() + RELAX_AFTER_MS
      }
      return size
    },
    tooWide(blocks, allowed) {
      const told = allowed === undefined ? blocks : BigInt(allowed)
      size = told < blocks ? told : greater(1n, blocks / 2n)
      relaxAt = nowMs() + RELAX_AFTER_MS
    },
  }
}

function lesser(a: bigint, b: bigint): bigint {
  return a < b ? a : b
}

function greater(a: bigint, b: bigint): bigint {
  return a > b ? a : b
}
