import { ERRORS } from '@dct/api-contract/errors'
import { UNKNOWN_AFTER_MS } from '@dct/rules/constants'
import { msSince } from '../../platform/clock.ts'
import { inTransaction } from '../../platform/database/db.ts'
import type { Loop } from '../../platform/loops/loop.ts'
import type { PaymentCheck } from './check-payment.ts'
import { inspectPayment, type NamePaymentDeps } from './name-payment.ts'
import { openHints, recordHint } from './payments.queries.ts'

const LOOKED_AT_ONCE = 20
const LOOK_EVERY_MS = 5_000

/**
 * Rechecks transactions that holders submitted as payments and that have not settled a fee, so that the holder learns
 * why.
 */
export function createHintChecker(deps: NamePaymentDeps): Loop {
  return { name: 'payment hints', step: () => checkHints(deps) }
}

async function checkHints(deps: NamePaymentDeps): Promise<boolean> {
  const at = deps.realClock.now()
  const before = new Date(at.getTime() - LOOK_EVERY_MS)
  const hints = await openHints(deps.db, { before, limit: LOOKED_AT_ONCE })
  for (const hint of hints) {
    const check = await inspectPayment(deps, hint.tx_hash, hint)
    const isGivenUp = msSince(hint.submitted_at, at) > UNKNOWN_AFTER_MS
    const problem = problemOf(check, isGivenUp)
    const note = { claimId: hint.claim_id, txHash: hint.tx_hash, at, problem }
    await inTransaction(deps.db, (tx) => recordHint(tx, note))
  }
  return hints.length < LOOKED_AT_ONCE
}

function problemOf(check: PaymentCheck, isGivenUp: boolean) {
  if (check.kind === 'wrong') {
    const { code } = check
    return { code, message: check.message ?? ERRORS[code].message }
  }
  if (check.kind === 'right' || check.isKnown || !isGivenUp) return null
  const code = 'PAYMENT_NOT_FOUND'
  return { code, message: ERRORS[code].message }
}
