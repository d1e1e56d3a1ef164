import { type ChaosWorld, startAgain } from '../chaos/chaos-world.ts'
import { settle } from '../chaos/devnet-time.ts'
import { untilSigned } from '../chaos/payouts.ts'
import type { Load } from './load.ts'
import { claimedBy, giveSubjectABonus, sendSubjectABonus, subjectOf } from './subject.ts'

/**
 * Restores a backup that contains the first transaction of a referral payout, but not its replacement with a higher
 * fee, which was the one that paid. The backup also lacks a fee payment made since, and the payout that it made due.
 * Both chains have all of this, and the restored database is compared with them before it pays anything.
 */
export async function restoreBackup(world: ChaosWorld, load: Load): Promise<void> {
  const { infrastructure, server } = world
  const { chains, backups, url } = infrastructure
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
  const backup = await backups.backUp()
  await server.crashed()
  await chains.control.resumeMining()
  await subject.pay(fee, { submitsHash: false })
  await startAgain(world)
  await settle(url)
  await server.stop()
  const { is_verified, audit } = await backups.restore(backup)
  if (!is_verified) throw new Error(`after the restore the audit found: ${JSON.stringify(audit)}`)
  await startAgain(world)
  // Backups contain no sessions.
  for (const client of [world.admin, ...world.holders.map((holder) => holder.client)]) {
    await client.login()
  }
  load.start()
}
