/** White space, and the empty pattern of Braille, which looks like it. */
const SPACES = /[\s\u2800]+/gu
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}]/gu
const DIGIT = /\p{Nd}/u
/** Everything but powers, fractions and numbers in circles, which no digit may replace: 10² is not 102. */
const NO_NUMBER_SIGNS = /\P{No}+/gu

/**
 * A short text that a person typed or pasted, without what cannot be seen: full-width letters become usual ones, digits
 * of every script those of ASCII, and any white space a single space. Invisible characters and surrounding spaces go.
 */
export function typedText(text: string): string {
  return text
    .replace(NO_NUMBER_SIGNS, (part) => part.normalize('NFKC'))
    .replace(SPACES, ' ')
    .replace(INVISIBLE, '')
    .replace(/\p{Nd}/gu, (digit) => `${digitValue(digit.codePointAt(0) ?? 0)}`)
    .trim()
}

/** Unicode keeps the ten digits of a script together and in order. */
function digitValue(digit: number): number {
  let zero = digit
  while (DIGIT.test(String.fromCodePoint(zero - 1))) zero -= 1
  return (digit - zero) % 10
}
