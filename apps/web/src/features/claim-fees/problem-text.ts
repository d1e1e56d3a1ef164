import type { PendingClaimFee } from '@dct/api-contract/claims'
import { refusalText } from '../../shared/i18n/refusals.ts'

/** The service's message about a submitted payment, in the current language. */
export function problemText(hint: NonNullable<PendingClaimFee['hint']>): string {
  return hint.problem_code === null ? hint.message : refusalText(hint.problem_code, hint.message)
}
