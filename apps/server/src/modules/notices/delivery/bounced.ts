import type { EmailProblem } from '@dct/api-contract/notices'
import { DeliveryError } from '../../../platform/outbox/channels/channel.ts'

/** A mail server rejects an address permanently. */
export class Bounced extends DeliveryError {
  override name = 'Bounced'
  readonly problem: EmailProblem

  constructor(message: string, response: string) {
    super(message, { isGone: true, isPersonal: true })
    this.problem = problemIn(response)
  }
}

/** By the enhanced status codes of RFC 3463, with the additions of RFC 7505 (a domain that accepts no mail). */
const PROBLEMS: readonly (readonly [RegExp, EmailProblem])[] = [
  [/^5\.1\.(2|10)$|^5\.4\.4$/, 'no_domain'],
  [/^5\.1\.[0136]$/, 'no_address'],
  [/^5\.2\.1$/, 'disabled'],
  [/^5\.2\.2$/, 'full'],
]

function problemIn(response: string): EmailProblem {
  const code = /^5\d\d[ -](5\.\d{1,3}\.\d{1,3})\b/.exec(response)?.[1] ?? ''
  return PROBLEMS.find(([pattern]) => pattern.test(code))?.[1] ?? 'refused'
}
