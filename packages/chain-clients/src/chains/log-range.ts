import { greater, lesser } from '../bigints.ts'

/** The number of blocks that one node searches for logs in one request: found by trying, and remembered. */
export type LogRange = {
  /** At least 1. */
  size(): bigint
  /** Records that a search of `blocks` was refused, and how many the node says it allows. */
  tooWide(blocks: bigint, allowed: number | undefined): void
  /** Records that a search of `blocks` got no answer, perhaps because it was too much work. */
  unanswered(blocks: bigint): void
  /** Records that a search of `blocks` was answered. */
  answered(blocks: bigint): void
}

/** Tron's nodes never search more. */
const LARGEST = 5_000n
/**
 * A refusal can be a temporary fault, or the plan may have been upgraded since, so a larger range is tried from time to
 * time.
 */
const RELAX_AFTER_MS = 60 * 60_000
/** Searches of full size that must be answered before a range that was narrowed for want of an answer grows again. */
const ANSWERS_BEFORE_GROWTH = 4

/** @param nowMs real time in milliseconds, from any beginning */
export function createLogRange(nowMs = () => performance.now()): LogRange {
  let size = LARGEST
  /** What the node refuses to exceed. */
  let ceiling = LARGEST
  let relaxAt = 0
  let answers = 0
  return {
    size() {
      if (ceiling < LARGEST && nowMs() >= relaxAt) {
        ceiling = lesser(LARGEST, ceiling * 2n)
        size = ceiling
        relaxAt = nowMs() + RELAX_AFTER_MS
      }
      return size
    },
    tooWide(blocks, allowed) {
      const reported = allowed === undefined ? blocks : BigInt(allowed)
      ceiling = reported < blocks ? reported : greater(1n, blocks / 2n)
      size = ceiling
      relaxAt = nowMs() + RELAX_AFTER_MS
    },
    unanswered(blocks) {
      answers = 0
      size = greater(1n, blocks / 2n)
    },
    answered(blocks) {
      if (blocks < size || size >= ceiling) return
      answers += 1
      if (answers < ANSWERS_BEFORE_GROWTH) return
      answers = 0
      size = lesser(ceiling, size * 2n)
    },
  }
}
