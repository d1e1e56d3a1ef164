import { readEmail } from '@dct/rules/email'
import { parseReferralCode } from '@dct/rules/referral-code'
import { Refusal } from '../../platform/errors.ts'

/** The refusal of each problem that `readEmail` finds. */
export const EMAIL_REFUSALS = {
  missing: 'EMAIL_REQUIRED',
  several: 'EMAIL_SEVERAL',
  invalid: 'EMAIL_INVALID',
} as const

/** `referrerCode` is empty when there is none. */
export type Applicant = { email: string; referrerCode: string }

/**
 * Reads the e-mail address and referral code of a registration. What surrounds the e-mail address is dropped.
 * @throws Refusal `EMAIL_REQUIRED`, `EMAIL_SEVERAL`, `EMAIL_INVALID`, `REFERRER_NOT_FOUND`
 */
export function readApplicant(input: {
  email: string
  referrerCode: string | null | undefined
}): Applicant {
  const { email, problem } = readEmail(input.email)
  if (email === undefined) throw new Refusal(EMAIL_REFUSALS[problem])
  const typed = (input.referrerCode ?? '').trim()
  if (typed === '') return { email, referrerCode: '' }
  const referrerCode = parseReferralCode(typed)
  if (referrerCode === undefined) throw new Refusal('REFERRER_NOT_FOUND')
  return { email, referrerCode }
}
