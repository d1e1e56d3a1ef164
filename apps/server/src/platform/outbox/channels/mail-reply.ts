/** A reply of a mail server that accepts no message: its text with all lines, such as `550 5.1.1 No such user`. */
export type MailReply = {
  /** The command that it answers. */
  command: string
  text: string
  from: string
}

/**
 * Who is to blame for a mail that was not accepted:
 * - `no receiver`: the receiver's address or mailbox does not exist or is closed for good;
 * - `receiver`: something about the receiver only, which may pass;
 * - `sender`: everything else: our address, our server, our reputation, the mail server itself.
 */
export type MailBlame = 'no receiver' | 'receiver' | 'sender'

/**
 * Enhanced status codes (RFC 3463 and its registry, RFC 7505) that say that a receiver is gone: a bad mailbox, system or
 * syntax of its address, a mailbox that has moved, a domain without mail, a mailbox that is closed or full.
 */
const NO_RECEIVER = /^5\.(1\.(1|2|3|6|10)|2\.(1|2))$/
/** The same matters while they may pass, and mail that the receiver's server puts off (greylisting). */
const OF_RECEIVER = /^[45]\.(1\.[1236]|2\.[0-4])$/

/**
 * Words about the sender. Servers send them with any code: Postfix and Exim report most of what is wrong with a sender
 * only in reply to RCPT TO, and some of it with a code for bad addresses.
 */
const ABOUT_SENDER =
  /\bsenders?\b|\bmail from\b|\bfrom (address|domain|header)\b|\brelay|\bhelo\b|\behlo\b|\bclient\b|\bspf\b|\bdkim\b|\bdmarc\b|\bspam|block|blacklist|\breputation|\bauth|\bpolicy|\bsmtp (authentication|auth)|\byour (ip|host|domain|server|mail|message|account)\b|\bdns\b|\btls\b|(?<!\breceiving \w+ at a )\brate\b|\bthrottl|\bquota exceeded for\b|\bsending\b|submission|\bout(bound|going)\b|\boriginat|\breturn[- ]path\b|\bbackscatter\b|\blog-?in\b/i
/** Words that name a missing receiver, for servers that send no enhanced code or a wrong one. */
const MISSING =
  /\b(unknown|no such|invalid|non-?existent) (local )?(user|mailbox|recipient|receiver|address|account|person)\b|\b(user|mailbox|recipient|address|account|alias)( name)? (is )?(unknown|not found|(does not|doesn['’]?t) exist|not (known|exist(ing)?)|disabled|deactivated)\b|\b(does not|doesn['’]?t) have an? .*account\b|\bno mailbox here\b/i
/** Of a suspended account it is not said whose it is. */
const PUT_OFF =
  /gr[ae]y-?list|\bmailbox\b|\brecipient\b|over ?quota|\baddress rejected\b|\b(user|account)\b.* (suspended|unavailable|not local)\b|^\d{3}.? account suspended/i

/**
 * Judges by what is said about the receiver and not by the command: only a reply that clearly concerns the receiver may
 * be held against it, because that ends its channel.
 */
export function blameOf({ command, text, from }: MailReply): MailBlame {
  if (command !== 'RCPT TO' && command !== 'DATA') return 'sender'
  const { code, words } = partsOf(text)
  if (ABOUT_SENDER.test(words) || text.toLowerCase().includes(from.toLowerCase())) return 'sender'
  const isPermanent = text.startsWith('5')
  if (isPermanent && (NO_RECEIVER.test(code) || MISSING.test(words))) return 'no receiver'
  return OF_RECEIVER.test(code) || MISSING.test(words) || PUT_OFF.test(words)
    ? 'receiver'
    : 'sender'
}

/** The enhanced status code of a reply, or an empty text. */
export function enhancedCodeOf(text: string): string {
  return partsOf(text).code
}

function partsOf(text: string): { code: string; words: string } {
  const code = /^\d{3}[ -]#?([245]\.\d{1,3}\.\d{1,3})\b/.exec(text)?.[1] ?? ''
  // Addresses may contain any word.
  const words = text.replaceAll(/<[^<>]*>|\S+@\S+|https?:\S+/g, ' ').replaceAll(/\s+/g, ' ')
  return { code, words }
}
