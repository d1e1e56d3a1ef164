/** Product constants that operators cannot change. Amounts are texts in whole units of the asset, not base units. */

export const JOIN_MIN_DCT = '10'
export const JOIN_MAX_DCT = '50'
export const CLAIM_MIN_DCT = '0.6'
/** 40 % of the whole claimed amount, for FULL and HALF. */
export const CLAIM_FEE_BPS = 4_000n
/** The number of counting cycles without a claim after which an earning freezes. */
export const FREEZE_AFTER_CYCLES = 30
/** The number of cycles still credited after the freeze. */
export const FREEZE_GRACE_CYCLES = 3
/** How many days before the freeze holders are reminded, the last reminder first. */
export const FREEZE_REMINDER_DAYS = [1, 3, 7] as const
/** How many days before the last day to claim or to pay holders are reminded, the last reminder first. */
export const LAST_DAYS_REMINDERS = [1, 7, 30] as const
export const FREEZE_WARNINGS = [20, 25, 28, 29, 30] as const
/** With fewer days than this between the first possible claim and the freeze, holders are warned before joining. */
export const SHORT_CLAIM_WINDOW_DAYS = 7
export const CLAIM_OPEN_DAYS_AFTER_END = 180
export const FEE_OPEN_DAYS_AFTER_END = 210
export const CANCEL_AFTER_HOURS = 24
/** An exact payment amount is not reused for this many days after its fee was settled or closed. */
export const AMOUNT_HELD_DAYS = 90
/** The most codes of claims that a device remembers, and names with a claim. */
export const MOST_KNOWN_CODES = 50
export const REWARD_SENT_WITHIN_HOURS = 24
export const RESERVATION_MINUTES = 10
/**
 * How long a transaction that a holder named may be known to no node until it counts as wrong or never sent. For a join,
 * its reservation ends at the same time.
 */
export const UNKNOWN_AFTER_MS = RESERVATION_MINUTES * 60_000
export const REFERRAL_PERCENTAGE_MAX_BPS = 7_500n
export const DIRECT_RATE_MAX_BPS = 2_500n
/** 2025-04-05 00:00 in UTC+7: the first instant at which the non-direct bonus can be claimed. */
export const NON_DIRECT_OPENS_AT = '2025-04-04T17:00:00.000Z'
export const PRICE_DECIMALS = 8
/** The version of the default terms, which users accept until the operator publishes others. */
export const TERMS_VERSION = '2026-11-23'
/** The version of the default privacy notice. */
export const PRIVACY_VERSION = '2026-11-28'

/** The most characters of a reason that an admin gives. */
export const LONGEST_REASON = 300
