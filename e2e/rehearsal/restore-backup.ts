import { type ChaosWorld, startAgain } from '../chaos/chaos-world.ts'
import { settle } from '../chaos/devnet-time.ts'
import { untilSigned } from '../chaos/payouts.ts'
import type { Load } from './load.ts'
import { claimedBy, giveSubjectABonus, sendSubjectABonus, subjectOf } from './subject.ts'

/**
 * The database goes back to a backup that knows the first transaction of a referral payout, but not the one with a
 * higher fee that replaced it and paid. A fee that was paid in between, and the payout that it made due, are forgotten
 * as well. Both chains remember, and the restored database is compared with them before anything is paid from it.
 */
export async function restoreBackup(world: ChaosWorld, load: Load): Promise<void> {
  const { infrastructure, server } = world
  const { chains, backups, url } = infrastructure
  const subject = subjectOf(world)
  // What holders ask of the service between backup and restore is lost with the database; what they pay is not.
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
  await server.ended()
  await chains.control.resumeMining()
  await subject.pay(fee, { tells: false })
  await startAgain(world)
  await settle(url)
  await server.stop()
  const { is_verified, audit } = await backups.restore(backup)
  if (!is_verified) throw new Error(`after the restore the audit found: ${JSON.stringify(audit)}`)
  await startAgain(world)
  // A backup holds no sessions.
  for (const client of [world.admin, ...world.holders.map((holder) => holder.client)]) {
    await client.login()
  }
  load.start()
}
