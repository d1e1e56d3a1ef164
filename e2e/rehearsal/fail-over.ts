import type { ChaosWorld } from '../chaos/chaos-world.ts'
import { settle } from '../chaos/devnet-time.ts'
import { CHAINS, untilSigned } from '../chaos/payouts.ts'
import type { Load } from './load.ts'
import { claimedBy, giveSubjectABonus, sendSubjectABonus, subjectOf } from './subject.ts'

/**
 * Kills the database's primary while payouts on both chains are signed and holders claim and pay. Its synchronous
 * standby takes over; the server keeps running and finds every commit that was confirmed to it.
 */
export async function failOver(world: ChaosWorld, load: Load): Promise<void> {
  const { database, chains, url } = world.infrastructure
  await database.addStandby()
  await giveSubjectABonus(world)
  // The load advances the chains' time, which would mine the transactions before the primary dies.
  await load.stop()
  await chains.control.pauseMining()
  await claimedBy(world, subjectOf(world), { plan: 'PLAN-360', kind: 'HALF' })
  await sendSubjectABonus(world)
  for (const chain of CHAINS) await untilSigned(world, chain)
  load.start()
  await database.failOver()
  await chains.control.resumeMining()
  await settle(url)
}
