/** The number of blocks to request from a node at once. Providers have their own limits, which no API call reveals. */
export type BlockRange = {
  /** At least 1. */
  size(): bigint
  /** Records that a query for this many blocks was answered. */
  answered(blocks: bigint): void
  /** Records that a node gave no usable answer, perhaps because the range was too large. */
  refused(): void
}

/** A provider's limit is fixed, so this many full ranges must succeed after a refusal before a larger one is tried. */
const GROW_AFTER = 10

/** Starts with the largest range, halves it after each refusal and doubles it again after `GROW_AFTER` full answers. */
export function createBlockRange(maximum: number): BlockRange {
  let size = maximum
  let fullAnswers = 0
  return {
    size: () => BigInt(size),
    answered(blocks) {
      // A small range that succeeds proves nothing about larger ones.
      if (size === maximum || blocks < BigInt(size)) return
      fullAnswers += 1
      if (fullAnswers < GROW_AFTER) return
      size = Math.min(maximum, size * 2)
      fullAnswers = 0
    },
    refused() {
      size = Math.max(1, Math.floor(size / 2))
      fullAnswers = 0
    },
  }
}
