import type { ChaosWorld } from './chaos-world.ts'
import { read } from './persistence.ts'
import { until } from './until.ts'

export const CHAINS = ['TRON', 'BSC'] as const
type Chain = (typeof CHAINS)[number]

/** The number of a chain's payouts in that state. */
export async function countPayouts(
  { admin }: Pick<ChaosWorld, 'admin'>,
  filter: { chain: Chain; state: 'waiting' | 'sent' },
): Promise<number> {
  const query = new URLSearchParams(filter)
  return (await read<{ total: number }>(admin, `/api/admin/payouts?${query}`)).total
}

/** Waits until a payout of that chain has been signed and is waiting for its block. */
export async function untilSigned(world: Pick<ChaosWorld, 'admin'>, chain: Chain): Promise<void> {
  await until(
    `a payout on ${chain} is signed`,
    async () => (await countPayouts(world, { chain, state: 'sent' })) > 0,
  )
}
