import { typedText } from '@dct/money'

export const EMAIL_MAX_LENGTH = 254

/** The local part's characters; letters of any script. Quoted local parts, which hardly exist, are not accepted. */
const LOCAL =
  /^[\p{L}\p{M}\p{Nd}!#$%&'*+/=?^_`{|}~-]+(?:\.[\p{L}\p{M}\p{Nd}!#$%&'*+/=?^_`{|}~-]+)*$/u
const DOMAIN =
  /^(?:[\p{L}\p{Nd}](?:[\p{L}\p{M}\p{Nd}-]*[\p{L}\p{M}\p{Nd}])?\.)+(?:xn--[a-z\d-]*[a-z\d]|[\p{L}\p{M}]{2,})$/iu

/**
 * Whether this is name@domain.tld, at most 254 characters; the browser and the server apply the same rule. No spaces,
 * line breaks or invisible characters, because the address appears in the text that the wallet signs.
 */
export function isEmail(text: string): boolean {
  if (text.length > EMAIL_MAX_LENGTH) return false
  const [local = '', domain = '', ...more] = text.split('@')
  return more.length === 0 && LOCAL.test(local) && DOMAIN.test(domain)
}

export type ReadEmail =
  | { email: string; problem?: undefined }
  | { email?: undefined; problem: 'missing' | 'several' | 'invalid' }

/**
 * Reads an e-mail address as people type and paste it: a display name, brackets, quotes, `mailto:` and punctuation
 * around it are dropped; anything inside it that is not one address is refused.
 */
export function readEmail(typed: string): ReadEmail {
  if (typed.length > MAX_TYPED) return { problem: 'invalid' }
  // Input methods of Chinese and Japanese type their own full stop.
  const text = typedText(typed).replaceAll('\u3002', '.')
  if (text === '') return { problem: 'missing' }
  const bare = text.replace(DISPLAY_NAME, '$1').replace(BEFORE, '')
  const email = (MAIL_LINK.test(text) ? bare.replace(/\?.*$/u, '') : bare).replace(AFTER, '')
  if (isEmail(email)) return { email }
  return { problem: text.split('@').length > 2 ? 'several' : 'invalid' }
}

const MAX_TYPED = 1_000
/** `Name <address>`, with nothing else behind but punctuation. */
const DISPLAY_NAME = /^[^<>@]*<([^<>]*)>[\s,;.]*$/u
/** Opening marks, and the scheme of a link or the word that names an address. */
const BEFORE = /^[\s"'“”‘’«„`([{<]*(?:[\p{L}-]+ ?(?::|%3A)(?:\/\/)?)?[\s"'“”‘’«„`([{<]*/iu
/** Such a link may also have a subject, for example, behind a question mark. */
const MAIL_LINK = /mailto:/i
const AFTER = /[\s"'“”‘’»`)\]}>,;:.!?/]+$/u
