/**
 * Fees that were on chain while the service had not settled them: every day that began in between excuses the earning,
 * as its holder could do nothing. Whether the service has settled a fee is asked of the screens.
 */
import { claimPaidBy } from '../model/books.ts'
import { finalPayments, noteWait, tellBsc, tellTron } from './chronicle.ts'
import type { Stage } from './stage.ts'

/** Called when a business day ends: what is settled by then excuses no later day. */
export async function noteSettled(stage: Stage): Promise<void> {
  tellTron(stage)
  let hasAll = true
  for (const payment of finalPayments(stage)) {
    const found = claimPaidBy(stage.books, payment)
    if (found === undefined || stage.settled.has(found.claim.code)) continue
    noteWait(stage, payment)
    if (await isPaidOnScreen(stage, found)) stage.settled.add(found.claim.code)
    else hasAll = false
  }
  if (hasAll) tellBsc(stage)
}

async function isPaidOnScreen(
  stage: Stage,
  { earning, claim }: NonNullable<ReturnType<typeof claimPaidBy>>,
): Promise<boolean> {
  const holder = stage.holders.find(({ tronAddress }) => tronAddress === earning.staker)
  if (holder === undefined) return false
  const { body } = await stage.api.call(holder, 'GET', '/user/pending-claim-fees?limit=100')
  const fees = (body.pending_fees ?? []) as { code_claim: string; is_paid: boolean }[]
  return fees.some((fee) => fee.code_claim === claim.code && fee.is_paid)
}
