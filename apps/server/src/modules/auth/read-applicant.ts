import { isEmail } from '@dct/rules/email'
import { parseReferralCode } from '@dct/rules/referral-code'
import { Refusal } from '../../platform/errors.ts'

/** `referrerCode` is empty when there is none. */
export type Applicant = { email: string; referrerCode: string }

/**
 * Reads the e-mail address and referral code of a registration. The e-mail address is kept as typed.
 * @throws Refusal `EMAIL_REQUIRED`, `EMAIL_INVALID`, `REFERRER_NOT_FOUND`
 */
export function readApplicant(input: {
  email: string
  referrerCode: string | null | undefined
}): Applicant {
  if (input.email.trim() === '') throw new Refusal('EMAIL_REQUIRED')
  if (!isEmail(input.email)) throw new Refusal('EMAIL_INVALID')
  const typed = (input.referrerCode ?? '').trim()
  if (typed === '') return { email: input.email, referrerCode: '' }
  const referrerCode = parseReferralCode(typed)
  if (referrerCode === undefined) throw new Refusal('REFERRER_NOT_FOUND')
  return { email: input.email, referrerCode }
}
