import type { ChaosHolder, Fee } from '../chaos/chaos-holder.ts'
import { approveBonuses, type ChaosWorld, DAYS_OF_A_ROUND } from '../chaos/chaos-world.ts'
import { advance, settle } from '../chaos/devnet-time.ts'

/** The holder whom a rehearsal itself lets act: everybody else is load. The second holder was referred by this one. */
export function subjectOf({ holders }: ChaosWorld): ChaosHolder {
  const [subject] = holders
  if (subject === undefined) throw new Error('a rehearsal needs a holder')
  return subject
}

/** Claims on that plan, and lets weeks pass before if there is too little to claim. */
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

/** Lets somebody below the subject pay a fee, so that the subject has a referral reward to claim. */
export async function giveSubjectABonus(world: ChaosWorld): Promise<void> {
  const { url } = world.infrastructure
  const [, referred] = world.holders
  if (referred === undefined) throw new Error('a rehearsal needs somebody below its holder')
  for (const fee of await referred.fees()) {
    if (!fee.is_paid) await referred.pay(fee, { tells: true })
  }
  await settle(url)
  await referred.pay(await claimedBy(world, referred, { plan: 'PLAN-360', kind: 'FULL' }), {
    tells: true,
  })
  await settle(url)
}

/** The subject claims what referrals brought, and the admin approves it: USDT are on their way. */
export async function sendSubjectABonus(world: ChaosWorld): Promise<void> {
  if (!(await subjectOf(world).claimBonus())) throw new Error('the subject has no bonus to claim')
  await approveBonuses(world)
}
