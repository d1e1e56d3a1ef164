import { readEmail } from '@dct/rules/email'
import { REGISTER_REFUSALS, REGISTER_WORDING } from './register.texts.ts'

export type RegistrationDraft = {
  tronAddress: string | undefined
  email: string
  hasAcceptedTerms: boolean
}

/** The first reason why a registration cannot be sent; undefined if it can. */
export function registrationProblem(draft: RegistrationDraft): string | undefined {
  if (draft.tronAddress === undefined) return REGISTER_WORDING.notConnected
  const { problem } = readEmail(draft.email)
  if (problem !== undefined) return REGISTER_REFUSALS[problem]
  if (!draft.hasAcceptedTerms) return REGISTER_REFUSALS.termsMissing
  return undefined
}
