export const EMAIL_MAX_LENGTH = 254

/**
 * something@domain.tld, at most 254 characters; the browser and the server apply the same rule. No spaces, line breaks
 * or invisible characters, because the address appears in the text that the wallet signs.
 */
export function isEmail(text: string): boolean {
  return (
    text.length <= EMAIL_MAX_LENGTH &&
    /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/u.test(text) &&
    !/\p{C}/u.test(text)
  )
}
