import type { ChaosWorld } from '../chaos/chaos-world.ts'
import { settle } from '../chaos/devnet-time.ts'
import type { Load } from './load.ts'
import { leavePayoutsSigned } from './subject.ts'

/**
 * Kills the database's primary while payouts on both chains are signed and holders claim and pay. Its synchronous
 * standby takes over; the server keeps running and finds every commit that was confirmed to it.
 */
export async function failOver(world: ChaosWorld, load: Load): Promise<void> {
  const { database, chains, url } = world.infrastructure
  await database.addStandby()
  await leavePayoutsSigned(world, load)
  load.start()
  await database.failOver()
  await chains.control.resumeMining()
  await settle(url)
}
