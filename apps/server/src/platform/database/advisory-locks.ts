/**
 * The numbers of all advisory locks in the database: arbitrary, and each used once (the schema uses 7_204_613). They
 * never change, because processes of two versions may run side by side.
 */
export const ADVISORY_LOCKS = {
  migration: 7_204_611,
  reservations: 7_204_614,
  downlineTotals: 7_204_671,
  donations: 7_204_672,
  nonces: 7_204_673,
  owedList: 7_204_674,
} as const

/** The first of two numbers, which PostgreSQL keeps apart from single ones; the second names a row or a place. */
export const ADVISORY_LOCK_CLASSES = {
  dailyRun: 7_204_612,
  planPool: 7_204_614,
  referralBalance: 7_204_615,
  download: 0x65787074,
  moneyStep: 7_204_616,
} as const
