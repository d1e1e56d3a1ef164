import { greater, lesser } from '../bigints.ts'

/** The number of blocks that one node searches for logs in one request: found by trying, and remembered. */
export type LogRange = {
  /** At least 1. */
  size(): bigint
  /** Records that a search of `blocks` was refused, and how many the node says it allows. */
  tooWide(blocks: bigint, allowed: number | undefined): void
}

/** Tron's nodes never search more. */
const LARGEST = 5_000n
/**
 * A refusal can be a temporary fault, or the plan may have been upgraded since, so a larger range is tried from time to
 * time.
 */
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
      const reported = allowed === undefined ? blocks : BigInt(allowed)
      size = reported < blocks ? reported : greater(1n, blocks / 2n)
      relaxAt = nowMs() + RELAX_AFTER_MS
    },
  }
}
