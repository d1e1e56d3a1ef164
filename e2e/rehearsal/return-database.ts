import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type ChaosWorld, DAYS_OF_A_ROUND, startAgain } from '../chaos/chaos-world.ts'
import { advance, settle } from '../chaos/devnet-time.ts'
import type { WayBack } from '../chaos/ways-back.ts'
import type { Load } from './load.ts'
import { claimedBy, giveSubjectABonus, sendSubjectABonus, subjectOf } from './subject.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

/**
 * Returns the database to a moment at which two payouts, one on each chain, were not signed yet. Since then both were
 * paid, and a fee as well, whose payout has just been sent when the database is returned, as has the payment of another
 * fee. The service finds all of it on the chains, and pays nothing twice.
 */
export const returnDatabase = (way: WayBack) => async (world: ChaosWorld, load: Load) => {
  const { infrastructure, server } = world
  const { database, url } = infrastructure
  const [subject, referred] = [subjectOf(world), world.holders[1]]
  if (referred === undefined) throw new Error('a rehearsal needs a referral of its holder')
  // Requests to the service since that moment are lost with the database, unlike payments on chain.
  await load.stop()
  const mark = await database.prepare(way)
  await giveSubjectABonus(world)
  const fee = await claimedBy(world, subject, { plan: 'PLAN-720', kind: 'FULL' })
  const other = await claimedBy(world, referred, { plan: 'PLAN-720', kind: 'FULL' })
  for (const open of await subject.fees()) {
    if (!open.is_paid && open.code_claim !== fee.code_claim)
      await subject.pay(open, { submitsHash: true })
  }
  await advance(url, DAYS_OF_A_ROUND)
  await settle(url)
  await server.stop()
  // Without a worker, nothing is signed.
  server.start({ process: 'api' })
  await server.untilHealthy()
  if ((await subject.claim('PLAN-360', 'HALF')) === undefined)
    throw new Error('the subject has nothing to claim')
  await sendSubjectABonus(world)
  const putBack = await mark()
  await server.kill()
  await startAgain(world)
  await settle(url)
  await server.kill()
  await subject.pay(fee, { submitsHash: false })
  server.start({ crashAt: 'after-broadcast' })
  await server.crashed()
  const paying = referred.pay(other, { submitsHash: false })
  await putBack()
  await loginAgain(world)
  await paying
  await settle(url)
  load.start()
}

/** Starts the service as an operator does after every restore: sessions that had ended may be valid again. */
export async function loginAgain(world: ChaosWorld): Promise<void> {
  const command = join(ROOT, 'apps/server/src/main/end-sessions.ts')
  await promisify(execFile)(process.execPath, [command], { env: world.infrastructure.serverEnv })
  await startAgain(world)
  for (const client of [world.admin, ...world.holders.map((holder) => holder.client)]) {
    await client.login()
  }
}
