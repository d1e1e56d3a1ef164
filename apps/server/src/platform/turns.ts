import { type RawBuilder, sql } from 'kysely'

/** Rows that many transactions change, each with an arbitrary number that no other advisory lock uses. */
const CONTENDED = { plan_pool: 7_204_614, referral_balance: 7_204_615 } as const

/**
 * Waits until it is this transaction's turn at a contended row, as a one-row source for the statement that changes it.
 * Whoever waits for the row itself is woken by every commit that changes it, to find that somebody else has it again;
 * here only the next one is woken. It decides nothing: the row's own lock does.
 * @param place a number of the row; two rows that share one also share their queue
 */
export function turnAt(row: keyof typeof CONTENDED, place: RawBuilder<unknown>) {
  return sql`pg_advisory_xact_lock(${CONTENDED[row]}::integer, ${place})`
}
