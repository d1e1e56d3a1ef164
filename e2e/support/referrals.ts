import type { Locator, Page } from '@playwright/test'
import type { OutsideHolder } from '../outside/outside-client.ts'
import type { Product } from './product.ts'
import { claimed, joined, paid } from './scenes.ts'
import { part } from './screens.ts'

export const REFERRAL_PATHS = {
  downline: '/api/auth/referrals',
  rewards: '/api/user/referral-reward-history',
  summary: '/api/user/referral-summary',
  claims: '/api/user/referral-claim-pool-history',
  challenge: '/api/auth/challenge',
  save: '/api/user/save-referral-claim-pool',
} as const

/** A card of the referral summary. */
export function summaryCard(page: Page, name: string): Locator {
  return part(page, 'Referral Summary').getByRole('article', { name, exact: true })
}

export function claimDialog(page: Page) {
  const dialog = page.getByRole('dialog', { name: 'Confirm Claim', exact: true })
  return {
    dialog,
    address: dialog.getByLabel('BSC USDT Address', { exact: true }),
    cancel: dialog.getByRole('button', { name: 'Cancel', exact: true }),
    confirm: dialog.getByRole('button', { name: 'Confirm', exact: true }),
  }
}

export async function referralCodeOf(holder: OutsideHolder): Promise<string> {
  const { user } = await holder.call<{ user: { referral_code: string } }>('GET', '/api/auth/me')
  return user.referral_code
}

/** Sets a user's referral percentage. */
export async function setPercentage(
  product: Product,
  holder: OutsideHolder,
  percentage: string,
): Promise<void> {
  const admin = await product.admin()
  await admin.call('PUT', '/api/admin/update-referral-reward', {
    target_tron_address: holder.address,
    referral_reward_percentage: percentage,
  })
}

/** Has each payer lock 50 DCT, claim after six cycles and pay the fee of 0.36 USDT plus energy. */
export async function payFees(product: Product, payers: readonly OutsideHolder[]): Promise<void> {
  for (const payer of payers) await joined(product, payer)
  await product.advance(6)
  for (const payer of payers) {
    await paid(product, payer, await claimed(product, payer, { type: 'FULL' }))
  }
}

/** Claims all unclaimed rewards of one kind to the holder's own address on BSC; returns the claim's id. */
export async function claimReferral(
  holder: OutsideHolder,
  type: 'direct bonus' | 'non-direct',
): Promise<string> {
  const claim = { usdt_address: holder.account.bsc_address, type }
  const asked = { ...claim, tron_address: holder.address, purpose: 'referral_claim' }
  const proof = await holder.prove(asked)
  const body = { ...claim, ...proof }
  return (await holder.call<{ id: string }>('POST', REFERRAL_PATHS.save, body)).id
}
