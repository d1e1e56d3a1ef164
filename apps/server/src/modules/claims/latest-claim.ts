const TIMES_DIFFER_MS = 10 * 60_000

/**
 * The latest time at which a claim that a block's payment is for can have been made. A restored database may not know yet
 * which blocks there are, but a payment is not for a claim made later; clocks and blocks differ by a few minutes.
 */
export function latestClaimOf(blockTime: Date): Date {
  return new Date(blockTime.getTime() + TIMES_DIFFER_MS)
}
