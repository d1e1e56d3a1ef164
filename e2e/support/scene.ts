import type { OutsideHolder } from '../outside/outside-client.ts'
import type { Records, Shot, Who } from './gallery.ts'
import type { VisitOptions } from './open-visit.ts'
import type { Product } from './product.ts'
import { claimReferral, referralCodeOf, setPercentage } from './referrals.ts'
import { claimed, joined, PLAN_360, paid } from './scenes.ts'

/** The accounts that the gallery uses, and the records that its pages need. */
export type Scene = Record<Who, OutsideHolder> & Records

/** How a shot is opened on a running product. */
export function visitOf({ who, path, ...rest }: Shot, scene: Scene): VisitOptions {
  const { isSignedIn, wallet, before, tolerates } = rest
  return {
    ...(who && { as: scene[who] }),
    path: typeof path === 'string' ? path : path(scene),
    ...(isSignedIn !== undefined && { isSignedIn }),
    ...(wallet && { wallet }),
    ...(before && { before }),
    ...(tolerates && { tolerates }),
  }
}

/**
 * Creates an admin, a holder in the middle of a plan who has referrals and has claimed rewards for them, a holder with an
 * open fee, a newcomer, and a payment that matches no fee.
 */
export async function prepareScene(product: Product): Promise<Scene> {
  const admin = await product.admin()
  const holder = await product.holder({ email: 'ayu@example.org' })
  await setPercentage(product, holder, '20')
  const claimant = await product.holder({
    email: 'budi@example.org',
    referrerCode: await referralCodeOf(holder),
  })
  const newcomer = await product.holder({
    email: 'citra@example.org',
    referrerCode: await referralCodeOf(claimant),
  })
  await joined(product, holder)
  await joined(product, claimant)
  await joined(product, claimant, { plan: PLAN_360, amount: '25' })
  await product.advance(8)
  await paid(product, holder, await claimed(product, holder, { type: 'HALF' }))
  await paid(product, claimant, await claimed(product, claimant, { type: 'FULL' }))
  await claimReferral(holder, 'direct bonus')
  await approveAll(product, admin)
  await product.advance(6)
  await paid(product, claimant, await claimed(product, claimant, { type: 'HALF', plan: PLAN_360 }))
  await claimReferral(holder, 'non-direct')
  const { code_claim: code, unpaid_fee_usdt } = await claimed(product, claimant, { type: 'FULL' })
  await claimant.payUsdt(`${unpaid_fee_usdt}1`)
  await product.advance(2) // an unpaid claim can be cancelled after a whole day
  const { token } = await admin.call<{ token: string }>('POST', `/api/admin/cases/${code}/links`, {
    hours: 24,
  })
  return { admin, holder, claimant, newcomer, code, token }
}

/** Approves all pending claims; other tests on the same product may have declined or approved some already. */
async function approveAll(product: Product, admin: OutsideHolder): Promise<void> {
  const { claim_pool } = await admin.call<{ claim_pool: { id: string; state: string }[] }>(
    'GET',
    '/api/admin/referral-claim-pool',
  )
  for (const { id, state } of claim_pool) {
    if (state !== 'requested') continue
    await admin.call('PUT', '/api/admin/referral-claim-approval', { id })
  }
  await product.settle()
}
