import { approveBonuses, type ChaosWorld, startAgain } from './chaos-world.ts'

/**
 * Crashes the server after it has replaced a referral payout at a higher gas price, before either transaction is
 * booked. Needs a referral claim that awaits approval.
 */
export async function crashAfterFeeBump(world: ChaosWorld): Promise<void> {
  const { server, infrastructure } = world
  const { control } = infrastructure.chains
  await server.kill()
  server.start({ crashAt: 'after-replacement' })
  await server.untilHealthy()
  await control.pauseMining()
  await approveBonuses(world)
  await server.crashed()
  await control.resumeMining()
  await startAgain(world)
}
