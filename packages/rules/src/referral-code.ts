import { typedText } from '@dct/money'

/** Capital letters and digits without the pairs that people confuse: 0 and O, 1 and I. */
export const REFERRAL_CODE_ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'
export const REFERRAL_CODE_LENGTH = 8

/** Makes a code from 8 random bytes; each of the 32 characters is equally likely. */
export function referralCodeFrom(random: Uint8Array): string {
  if (random.length !== REFERRAL_CODE_LENGTH)
    throw new RangeError('A referral code needs 8 random bytes')
  return [...random].map((byte) => REFERRAL_CODE_ALPHABET[byte % 32]).join('')
}

const MAX_TEXT = 2_000
const CODE = /^[A-Z2-9]{8}$/
/** How a link names the code; chat apps may encode the sign behind it, even twice. */
const NAMED = /(?:^|[^A-Z\d])ref(?:errer|erral)?(?:[_-]?code)?(?:=|%(?:25)*3D)/i

/**
 * Reads a code that was typed, or came from a link that a chat app or a person has damaged: it may have words,
 * punctuation, quotes, Markdown, invisible characters, percent-encoding or the whole link around it.
 * @returns undefined when there is no code in it, or several
 */
export function parseReferralCode(text: string): string | undefined {
  if (text.length > MAX_TEXT) return undefined
  const decoded = typedText(decode(text))
  // What follows the last name of a link's parameter that has a code behind it.
  for (const value of decoded.split(NAMED).slice(1)) {
    const [first = ''] = wordsOf(value)
    const code = codeIn(first)
    if (code !== undefined) return code
  }
  return onlyCode(wordsOf(decoded.replaceAll(LINK, ' ')))
}

/**
 * Reads the code that a link names, whatever is left of the link: its path, its parameters, or both.
 * @returns undefined when it names none; `code` is undefined when the one that it names cannot be a code
 */
export function readReferralLink(link: string): { code: string | undefined } | undefined {
  const values = decode(link.slice(0, MAX_TEXT)).split(NAMED).slice(1)
  return values.some((value) => value !== '') ? { code: parseReferralCode(link) } : undefined
}

/** A link's address has words that could be codes. */
const LINK = /https?:\/\/\S*/gi

function wordsOf(text: string): string[] {
  return text.split(/[^A-Za-z\d]+/).filter((word) => word !== '')
}

/** A word that is a code, or the same code several times in a row. */
function codeIn(word: string): string | undefined {
  const code = word.slice(0, REFERRAL_CODE_LENGTH).toUpperCase()
  const isRepeated = word.toUpperCase() === code.repeat(word.length / REFERRAL_CODE_LENGTH)
  return CODE.test(code) && isRepeated ? code : undefined
}

/** The only code among words. A word of small letters counts only if it stands alone: it may be a word. */
function onlyCode(words: readonly string[]): string | undefined {
  const found = words.filter((word) => codeIn(word) !== undefined)
  const marked = words.length === 1 ? found : found.filter((word) => !/^[A-Z]?[a-z]+$/.test(word))
  const best = marked.some((word) => /\d/.test(word))
    ? marked.filter((word) => /\d/.test(word))
    : marked
  const codes = new Set(best.map(codeIn))
  return codes.size === 1 ? [...codes][0] : undefined
}

/** Without percent-encoding, also of what was encoded twice. */
function decode(text: string): string {
  let decoded = text.replaceAll('&amp;', '&')
  for (let times = 0; times < 3 && /%[\dA-F]{2}/i.test(decoded); times += 1) {
    try {
      decoded = decodeURIComponent(decoded)
    } catch {
      // Cut off within a character: what is left is decoded, the rest is no part of a code.
      decoded = decoded.replaceAll(/%[\dA-F]{0,2}/gi, ' ')
    }
  }
  return decoded
}
