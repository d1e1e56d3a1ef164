/** Control characters, line breaks among them, and signs that turn the direction of what follows. */
const UNSEEN = / *[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]+ */gu
const HALF_AT_END = /[\ud800-\udbff]$/

/**
 * A text of somebody else as it may be stored, logged and shown: in one line, without control characters and halves of
 * characters (PostgreSQL stores neither NUL nor, in JSON, such halves), of at most `mostLength` UTF-16 units.
 */
export function cleanText(text: string, mostLength: number): string {
  const part = text.slice(0, mostLength).replace(HALF_AT_END, '')
  return part.toWellFormed().replace(UNSEEN, ' ').trim()
}

/** Control characters other than tab and line breaks: no person types them, and PostgreSQL stores no NUL. */
const NEVER_TYPED = /[^\P{Cc}\t\n\r]/u

/** Whether a person may have entered this text: it has no control characters and no halves of characters. */
export function isEnterable(text: string): boolean {
  return text.isWellFormed() && !NEVER_TYPED.test(text)
}
