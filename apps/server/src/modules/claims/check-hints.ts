import { ERRORS } from '@dct/api-contract/errors'
import type { Loop } from '../../platform/loop.ts'
import type { Judgement } from './judge-payment.ts'
import { lookAt, type PayFeeDeps } from './pay-claim-fee.ts'
import { noteHint, openHints } from './payments.queries.ts'

const LOOKED_AT_ONCE = 20
const LOOK_EVERY_MS = 5_000
/** A transaction that nobody knows for so long has a wrong hash, or was never sent. */
const UNKNOWN_AFTER_MS = 10 * 60_000

/**
 * Looks again at transactions that holders have named and that settled nothing yet, so that the
 * holder is told why.
 */
export function createHintChecker(deps: PayFeeDeps): Loop {
  return { name: 'payment hints', step: () => checkHints(deps) }
}

async function checkHints(deps: PayFeeDeps): Promise<boolean> {
  const at = deps.realClock.now()
  const before = new Date(at.getTime() - LOOK_EVERY_MS)
  const hints = await openHints(deps.db, { before, limit: LOOKED_AT_ONCE })
  for (const hint of hints) {
    const judgement = await lookAt(deps, hint.tx_hash, hint)
    const isGivenUp = at.getTime() - hint.submitted_at.getTime() > UNKNOWN_AFTER_MS
    const problem = problemOf(judgement, isGivenUp)
    await noteHint(deps.db, { claimId: hint.claim_id, txHash: hint.tx_hash, at, problem })
  }
  return hints.length < LOOKED_AT_ONCE
}

function problemOf(judgement: Judgement, isGivenUp: boolean) {
  if (judgement.kind === 'wrong') {
    const { code } = judgement
    return { code, message: judgement.message ?? ERRORS[code].message }
  }
  if (judgement.kind === 'right' || judgement.isKnown || !isGivenUp) return null
  const code = 'PAYMENT_NOT_FOUND'
  return { code, message: ERRORS[code].message }
}
