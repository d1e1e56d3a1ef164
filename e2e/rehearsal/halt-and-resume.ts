import { type ChaosWorld, startAgain } from '../chaos/chaos-world.ts'
import { settle } from '../chaos/devnet-time.ts'
import { CHAINS, countPayouts } from '../chaos/payouts.ts'
import { describeReply, persist, read } from '../chaos/persistence.ts'
import { until } from '../chaos/until.ts'
import type { Load } from './load.ts'
import { claimedBy, giveSubjectABonus, sendSubjectABonus, subjectOf } from './subject.ts'

/** Deeper than finality, so that blocks with booked events are replaced. */
const DEPTH = 12

/**
 * Replaces final blocks on both chains, which halts them. No payout is signed during a halt; payouts continue after an
 * admin has confirmed the changes.
 */
export async function haltAndResume(world: ChaosWorld, load: Load): Promise<void> {
  const { infrastructure, server } = world
  const { control } = infrastructure.chains
  await giveSubjectABonus(world)
  // A payment whose block is replaced may be moved to one from before its claim, and an admin would have to match it.
  await load.stop()
  await settle(infrastructure.url)
  // The server is down during the reorganisation, as if its node had been unreachable.
  await server.kill()
  for (const chain of ['tron', 'bsc'] as const) {
    await control.reorg({ chain, depth: DEPTH, keepTransactions: true })
  }
  await control.finalize()
  await startAgain(world)
  await until('both chains are halted', async () => (await haltedChains(world)).length === 2)
  await claimedBy(world, subjectOf(world), { plan: 'PLAN-360', kind: 'HALF' })
  await sendSubjectABonus(world)
  load.start()
  for (const chain of CHAINS) {
    await until(
      `a payout on ${chain} waits for the end of the halt`,
      async () => (await countPayouts(world, { chain, state: 'waiting' })) > 0,
    )
    await endHalt(world, chain)
  }
}

async function haltedChains({ admin }: ChaosWorld): Promise<string[]> {
  const { chains } = await read<{ chains: { chain: string; is_halted: boolean }[] }>(
    admin,
    '/api/health',
  )
  return chains.filter(({ is_halted }) => is_halted).map(({ chain }) => chain)
}

async function endHalt({ admin }: ChaosWorld, chain: string): Promise<void> {
  const { digest } = await read<{ digest: string }>(admin, `/api/admin/chain-halt?chain=${chain}`)
  const reply = await persist('end the halt', () =>
    admin.tryCall('POST', '/api/admin/chain-halt/end', { chain, digest }),
  )
  if (reply.status !== 200)
    throw new Error(`the halt of ${chain} was not ended: ${describeReply(reply)}`)
}
