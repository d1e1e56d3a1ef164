/**
 * What was on chain while the service did not know it. Holders could do nothing about it, so it excuses days: every day
 * that began while a fee was paid and not settled, and every day that ended while a stake was not booked. Whether the
 * service knows is asked of the screens.
 */
import { claimPaidBy, excuseOne } from '../model/books.ts'
import { finalPayments, noteWait, tellBsc, tellTron } from './chronicle.ts'
import type { Stage } from './stage.ts'

/** Called when a business day ends. */
export async function noteSeen(stage: Stage): Promise<void> {
  tellTron(stage)
  await noteBooked(stage)
  await noteSettled(stage)
}

async function noteBooked(stage: Stage): Promise<void> {
  const unseen = stage.earnings().filter(({ plan, staker }) => !stage.seen.has(`${plan} ${staker}`))
  if (unseen.length === 0) return
  const { status, body } = await stage.api.call(
    stage.world.admin,
    'GET',
    '/admin/user-earning-history?limit=100',
  )
  if (status !== 200) return void stage.doubtful.add(stage.world.day)
  const rows = body.earnings as Record<string, string>[]
  const booked = rows
    .filter(({ is_hash_confirmed }) => is_hash_confirmed === 'SUCCESS')
    .map((row) => `${row.earning_plan_code} ${row.tron_address}`)
  for (const earning of unseen) {
    const name = `${earning.plan} ${earning.staker}`
    if (booked.includes(name)) stage.seen.add(name)
    else excuseOne(earning, stage.world.day)
  }
}

async function noteSettled(stage: Stage): Promise<void> {
  let hasAll = true
  for (const payment of finalPayments(stage)) {
    const found = claimPaidBy(stage.books, payment)
    if (found === undefined || stage.seen.has(found.claim.code)) continue
    noteWait(stage, payment)
    if (await isPaidOnScreen(stage, found)) stage.seen.add(found.claim.code)
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
  const path = '/user/pending-claim-fees?limit=100'
  const { status, body } = await stage.api.call(holder, 'GET', path)
  if (status !== 200) stage.doubtful.add(stage.world.day)
  const fees = (body.pending_fees ?? []) as { code_claim: string; is_paid: boolean }[]
  return fees.some((fee) => fee.code_claim === claim.code && fee.is_paid)
}
