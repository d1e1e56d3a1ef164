import type { EmailProblem } from '@dct/api-contract/messages'
import { MailRefused } from '../../../platform/outbox/channels/mailer.ts'

/** By the enhanced status codes of RFC 3463, with the additions of RFC 7505 (a domain that accepts no mail). */
const PROBLEMS: readonly (readonly [RegExp, EmailProblem])[] = [
  [/^5\.1\.(2|10)$/, 'no_domain'],
  [/^5\.1\.[136]$/, 'no_address'],
  [/^5\.2\.1$/, 'disabled'],
  [/^5\.2\.2$/, 'full'],
]

/** Why a mail server rejects an address permanently; null for other failures. */
export function emailProblemOf(error: unknown): EmailProblem | null {
  if (!(error instanceof MailRefused)) return null
  return PROBLEMS.find(([pattern]) => pattern.test(error.enhancedCode))?.[1] ?? 'refused'
}
