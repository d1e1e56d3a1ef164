import { BLOCK_TOLERANCE_MS } from '../../platform/clock.ts'

/**
 * The latest time at which a claim that a payment is for can have been made, given the time of the payment's block. Books
 * that were restored may not know that block yet, so its number alone does not tell; but nobody pays before claiming.
 */
export function latestClaimOf(blockTime: Date): Date {
  return new Date(blockTime.getTime() + BLOCK_TOLERANCE_MS)
}
