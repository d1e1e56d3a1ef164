import { type ChaosWorld, startAgain } from '../chaos/chaos-world.ts'
import { settle } from '../chaos/devnet-time.ts'
import { untilSigned } from '../chaos/payouts.ts'
import type { Load } from './load.ts'
import { loginAgain } from './return-database.ts'
import { claimedBy, giveSubjectABonus, sendSubjectABonus, subjectOf } from './subject.ts'

/**
 * Restores a backup that contains the first transaction of a referral payout, but not its replacement with a higher
 * fee, which was the one that paid. The backup also lacks a fee payment made since, and the payout that it made due.
 * Both chains have all of this: the service reads it before it pays anything to these accounts.
 */
export async function restoreBackup(world: ChaosWorld, load: Load): Promise<void> {
  const { infrastructure, server } = world
  const { chains, database, url } = infrastructure
  const subject = subjectOf(world)
  // Requests to the service between backup and restore are lost with the database, unlike payments on chain.
  await load.stop()
  await giveSubjectABonus(world)
  const fee = await claimedBy(world, subject, { plan: 'PLAN-720', kind: 'FULL' })
  await server.kill()
  server.start({ crashAt: 'after-replacement' })
  await server.untilHealthy()
  await chains.control.pauseMining()
  await sendSubjectABonus(world)
  await untilSigned(world, 'BSC')
  const copy = await database.backUp()
  await server.crashed()
  await chains.control.resumeMining()
  await subject.pay(fee, { submitsHash: false })
  await startAgain(world)
  await settle(url)
  await server.stop()
  await database.restore(copy)
  await loginAgain(world)
  load.start()
}
