/** Stands where a value is not known. Never 0: that would be a claim. */
export const UNKNOWN = '—'
