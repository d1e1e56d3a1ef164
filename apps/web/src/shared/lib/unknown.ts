/** Shown for an unknown value. Never 0, which would be a claim. */
export const UNKNOWN = '—'
