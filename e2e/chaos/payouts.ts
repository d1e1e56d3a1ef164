import type { ChaosWorld } from './chaos-world.ts'
import { read } from './persistence.ts'
import { until } from './until.ts'

export const CHAINS = ['TRON', 'BSC'] as const
type Chain = (typeof CHAINS)[number]

/** How many payouts are in that state, by chain. */
export async function countPayouts(
  { admin }: ChaosWorld,
  filter: { chain: Chain; state: 'queued' | 'signed' | 'held' },
): Promise<number> {
  const query = new URLSearchParams(filter)
  return (await read<{ total: number }>(admin, `/api/admin/payouts?${query}`)).total
}

/** Some payout of that chain is signed, and waits for its block. */
export async function untilSigned(world: ChaosWorld, chain: Chain): Promise<void> {
  await until(
    `a payout on ${chain} is signed`,
    async () => (await countPayouts(world, { chain, state: 'signed' })) > 0,
  )
}
