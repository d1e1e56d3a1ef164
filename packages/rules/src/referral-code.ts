/** Capital letters and digits without the pairs that people confuse: 0 and O, 1 and I. */
export const REFERRAL_CODE_ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'
export const REFERRAL_CODE_LENGTH = 8

/** Makes a code from 8 random bytes; each of the 32 characters is equally likely. */
export function referralCodeFrom(random: Uint8Array): string {
  if (random.length !== REFERRAL_CODE_LENGTH)
    throw new RangeError('A referral code needs 8 random bytes')
  return [...random].map((byte) => REFERRAL_CODE_ALPHABET[byte % 32]).join('')
}

/**
 * Reads a code that was typed or came from a link, ignoring case and surrounding spaces.
 * @returns undefined when it cannot be a referral code.
 */
export function parseReferralCode(text: string): string | undefined {
  const code = text.trim().toUpperCase()
  return /^[A-Z2-9]{8}$/.test(code) ? code : undefined
}
