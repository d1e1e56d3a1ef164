export const EMAIL_MAX_LENGTH = 254

/**
 * something@domain.tld, at most 254 characters, the same in browser and server. No spaces, line
 * breaks or characters that cannot be seen: the address stands in the text that a wallet shows.
 */
export function isEmail(text: string): boolean {
  return (
    text.length <= EMAIL_MAX_LENGTH &&
    /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/u.test(text) &&
    !/\p{C}/u.test(text)
  )
}
