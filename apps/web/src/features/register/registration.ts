import { isEmail } from '@dct/rules/email'
import { REGISTER_WORDING } from './register.texts.ts'

export type RegistrationDraft = {
  tronAddress: string | undefined
  email: string
  hasAcceptedTerms: boolean
}

/** The first thing that keeps a registration from being sent, in words; undefined when nothing does. */
export function registrationProblem(draft: RegistrationDraft): string | undefined {
  if (draft.tronAddress === undefined) return REGISTER_WORDING.notConnected
  if (draft.email === '') return REGISTER_WORDING.emailMissing
  if (!isEmail(draft.email)) return REGISTER_WORDING.emailInvalid
  if (!draft.hasAcceptedTerms) return REGISTER_WORDING.termsMissing
  return undefined
}
