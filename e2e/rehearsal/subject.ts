import type { ChaosHolder, Fee } from '../chaos/chaos-holder.ts'
import { approveBonuses, type ChaosWorld, DAYS_OF_A_ROUND } from '../chaos/chaos-world.ts'
import { advance, settle } from '../chaos/devnet-time.ts'
import { CHAINS, untilSigned } from '../chaos/payouts.ts'
import type { Load } from './load.ts'

/** The first holder, whom the rehearsal itself controls; all others are load. This holder referred the second one. */
export function subjectOf({ holders }: ChaosWorld): ChaosHolder {
  const [subject] = holders
  if (subject === undefined) throw new Error('a rehearsal needs a holder')
  return subject
}

/** Makes a claim in that plan; while there is too little to claim, lets another week pass. */
export async function claimedBy(
  world: ChaosWorld,
  holder: ChaosHolder,
  claim: { plan: string; kind: 'FULL' | 'HALF' },
): Promise<Fee> {
  for (;;) {
    const fee = await holder.claim(claim.plan, claim.kind)
    if (fee !== undefined) return fee
    await advance(world.infrastructure.url, DAYS_OF_A_ROUND)
  }
}

/** Has a referral of the subject pay a fee, so that the subject has a referral reward to claim. */
export async function giveSubjectABonus(world: ChaosWorld): Promise<void> {
  const { url } = world.infrastructure
  const [, referred] = world.holders
  if (referred === undefined) throw new Error('a rehearsal needs a referral of its holder')
  for (const fee of await referred.fees()) {
    if (!fee.is_paid) await referred.pay(fee, { submitsHash: true })
  }
  await settle(url)
  await referred.pay(await claimedBy(world, referred, { plan: 'PLAN-360', kind: 'FULL' }), {
    submitsHash: true,
  })
  await settle(url)
}

/** Has the subject claim referral rewards and the admin approve the claim, so that a USDT payout is due. */
export async function sendSubjectABonus(world: ChaosWorld): Promise<void> {
  if (!(await subjectOf(world).claimBonus())) throw new Error('the subject has no bonus to claim')
  await approveBonuses(world)
}

/**
 * Ends with a signed payout of the subject on both chains, which do not mine it. The load is stopped, because it
 * advances the chains' time, which would mine the transactions.
 */
export async function leavePayoutsSigned(world: ChaosWorld, load: Load): Promise<void> {
  await giveSubjectABonus(world)
  await load.stop()
  await world.infrastructure.chains.control.pauseMining()
  await claimedBy(world, subjectOf(world), { plan: 'PLAN-360', kind: 'HALF' })
  await sendSubjectABonus(world)
  for (const chain of CHAINS) await untilSigned(world, chain)
}
