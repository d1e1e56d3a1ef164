import { expect, type Locator, type Page } from '@playwright/test'
import type { OutsideHolder } from '../outside/outside-client.ts'
import { notifications } from './notifications.ts'
import type { VisitOptions } from './open-visit.ts'
import type { Product } from './product.ts'
import { alter, answer, FAILED_CALLS, refuse } from './provoke.ts'
import { claimReferral, referralCodeOf, setPercentage } from './referrals.ts'
import { claimed, joined, PLAN_360, paid } from './scenes.ts'
import { fillJoin, joinForm, joinReview, overlay, untilLoaded } from './screens.ts'

/** The accounts that the gallery uses, and the records that its pages need. */
export type Scene = Record<'admin' | 'holder' | 'claimant' | 'newcomer', OutsideHolder> & {
  /** The code of a claim with an open fee. */
  code: string
  /** The token of a support link to that claim. */
  token: string
}

/** One page or dialog of the product. */
export type Shot = {
  name: string
  visit(scene: Scene): VisitOptions
  act?(page: Page): Promise<unknown>
  /** Whether to capture the whole page; for dialogs the visible part is enough. */
  isWhole?: boolean
  /** Whether the page never finishes loading, so that the test must not wait for it. */
  isBusy?: boolean
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

const asVisitor = (path: string) => () => ({ path })
const asHolder = (path: string) => (scene: Scene) => ({ as: scene.holder, path })
const asClaimant = (path: string) => (scene: Scene) => ({ as: scene.claimant, path })
const asNewcomer = (path: string, wallet?: VisitOptions['wallet']) => (scene: Scene) => ({
  as: scene.newcomer,
  path,
  ...(wallet && { wallet }),
})
const asAdmin = (path: string) => (scene: Scene) => ({ as: scene.admin, path: `/admin/${path}` })
/** Shows the list of payouts, all of them waiting for this reason. */
const payoutsThatWait = (wait_reason: string | null) => (scene: Scene) => ({
  ...asAdmin('operations?tab=payouts')(scene),
  before: (page: Page) =>
    alter<{ payouts: { state: string }[] }>(page, '/api/admin/payouts', (reply) => ({
      ...reply,
      payouts: reply.payouts.map((payout) => ({ ...payout, state: 'waiting', wait_reason })),
    })),
})
/** Shows the open fee as it was before a payment of another amount arrived. */
const beforePaying = (scene: Scene) => ({
  ...asClaimant('/dashboard')(scene),
  before: (page: Page) =>
    alter<{ pending_fees: object[] }>(page, '/api/user/pending-claim-fees', (reply) => ({
      ...reply,
      pending_fees: reply.pending_fees.map((fee) => ({ ...fee, mismatch: null })),
    })),
})
/** Shows a delivery in every state, to receivers with long names. */
const deliveriesOfEachKind = (scene: Scene) => ({
  ...asAdmin('control?tab=health')(scene),
  before: (page: Page) => answer(page, '/api/admin/notifications', notifications()),
})
const USERS = asAdmin('dashboard?tab=users')
const PLANS = asAdmin('dashboard?tab=plans')
const PAYMENTS = asAdmin('operations?tab=payments')
const QR_CODE = 'QR code'
const OPEN_CLAIMS = asAdmin('referral-claim-pool?tab=non-direct')

/** Every page and dialog of the product. */
export const GALLERY: readonly Shot[] = [
  { name: 'login', visit: asVisitor('/login') },
  { name: 'wallets', visit: asVisitor('/login'), act: opens('Other wallets') },
  { name: 'menu', visit: asHolder('/user'), act: openMenu },
  { name: 'glossary', visit: asVisitor('/login'), act: opens('Glossary') },
  { name: 'word', visit: asHolder('/dashboard?tab=claim'), act: opens('Estimated fee') },
  { name: 'questions', visit: asVisitor('/questions#fee'), isWhole: true },
  { name: 'register', visit: asVisitor('/register') },
  { name: 'terms', visit: asVisitor('/register'), act: opens('Read the terms and conditions') },
  { name: 'dashboard', visit: asHolder('/dashboard') },
  { name: 'dashboard-empty', visit: asNewcomer('/dashboard?tab=earnings') },
  { name: 'progress', visit: asHolder('/dashboard'), act: openProgress, isWhole: true },
  ...['Reward Distribution History', 'Reward Claim History'].map((button) => ({
    name: button.toLowerCase().replaceAll(' ', '-'),
    visit: asHolder('/dashboard'),
    act: opens(button, 'Why this amount?'),
  })),
  { name: 'activity', visit: asClaimant('/activity'), isWhole: true },
  { name: 'claim', visit: asHolder('/dashboard?tab=claim') },
  {
    name: 'terms-consent',
    visit: (scene) => ({
      ...asClaimant('/dashboard')(scene),
      before: askForConsent,
      tolerates: FAILED_CALLS,
    }),
    act: payUnderNewTerms,
  },
  { name: 'claim-dialog', visit: asHolder('/dashboard?tab=claim'), act: opens('Claim Half') },
  {
    name: 'join',
    visit: asNewcomer('/dashboard?tab=join'),
    act: enterJoin,
    isWhole: true,
  },
  { name: 'join-review', visit: asNewcomer('/dashboard?tab=join'), act: reviewJoin },
  {
    name: 'join-overlay',
    visit: asNewcomer('/dashboard?tab=join', 'asking'),
    act: startJoin,
  },
  { name: 'fees', visit: asClaimant('/dashboard') },
  { name: 'pay-dialog', visit: asClaimant('/dashboard'), act: opens('Pay Now', QR_CODE) },
  { name: 'how-to-pay', visit: asClaimant('/dashboard'), act: opens('How to Pay') },
  { name: 'cancel-claim', visit: beforePaying, act: opens('Cancel this claim') },
  { name: 'account', visit: asHolder('/user') },
  { name: 'your-data', visit: asHolder('/your-data'), isWhole: true },
  { name: 'notifications', visit: asHolder('/notifications') },
  {
    name: 'notifications-chosen',
    visit: (scene) => ({
      ...asHolder('/notifications')(scene),
      before: (page) => alter(page, '/api/user/notices', withChannels),
    }),
  },
  { name: 'confirm-email', visit: asVisitor('/confirm-email?token=example') },
  {
    name: 'unsubscribe',
    visit: () => ({
      path: '/unsubscribe?token=example',
      before: (page) =>
        answer(page, '/api/notices/subscription', { kind: 'claimable', is_subscribed: true }),
    }),
  },
  { name: 'referrals', visit: asHolder('/referrals') },
  {
    name: 'referral-tree',
    visit: asHolder('/referrals'),
    act: showTab('Picture'),
    isWhole: true,
  },
  {
    name: 'referral-earnings',
    visit: asHolder('/referrals'),
    act: showEarnings,
    isWhole: true,
  },
  { name: 'referral-qr', visit: asHolder('/referrals'), act: opens('Show QR code') },
  { name: 'referral-claim', visit: asHolder('/referrals'), act: opens('Claim Fee Referral') },
  { name: 'transparency', visit: asVisitor('/transparency') },
  { name: 'terms-page', visit: asVisitor('/terms') },
  { name: 'privacy', visit: asVisitor('/privacy') },
  { name: 'status', visit: asVisitor('/status') },
  { name: 'security', visit: asVisitor('/security') },
  { name: 'support-case', visit: ({ token }) => ({ path: `/support/case/${token}` }) },
  { name: 'admin-dashboard', visit: asAdmin('dashboard') },
  { name: 'admin-users', visit: USERS },
  { name: 'admin-percentage', visit: USERS, act: opens('Edit %') },
  { name: 'admin-percentage-confirm', visit: USERS, act: enterPercentage },
  { name: 'admin-user-rewards', visit: USERS, act: opens('Rewards') },
  { name: 'admin-user-claims', visit: USERS, act: opens('Claims') },
  { name: 'admin-user-referrals', visit: USERS, act: opens(/^Referrals of .*: 1$/) },
  { name: 'admin-transactions', visit: asAdmin('dashboard?tab=transactions') },
  { name: 'admin-plans', visit: PLANS },
  { name: 'admin-plan-add', visit: PLANS, act: showForm('Add plan'), isWhole: true },
  { name: 'admin-plan-edit', visit: PLANS, act: showForm('Edit'), isWhole: true },
  { name: 'admin-plan-review', visit: PLANS, act: reviewPlan },
  { name: 'admin-participants', visit: PLANS, act: opens('See participants') },
  { name: 'admin-daily-participants', visit: PLANS, act: opens('See daily participants') },
  { name: 'admin-reward-history', visit: asAdmin('reward-history') },
  { name: 'admin-claim-history', visit: asAdmin('claim-history') },
  { name: 'admin-claim-pool', visit: asAdmin('referral-claim-pool') },
  { name: 'admin-claim-pool-open', visit: OPEN_CLAIMS },
  { name: 'admin-approve', visit: OPEN_CLAIMS, act: opens('Approve') },
  { name: 'admin-decline', visit: OPEN_CLAIMS, act: opens('Decline') },
  { name: 'admin-approvals', visit: asAdmin('operations?tab=approvals') },
  { name: 'admin-cases', visit: asAdmin('operations?tab=cases') },
  { name: 'admin-close', visit: asAdmin('control?tab=close') },
  { name: 'admin-terms', visit: asAdmin('control?tab=terms'), act: editTerms, isWhole: true },
  { name: 'admin-case', visit: ({ admin, code }) => ({ as: admin, path: `/admin/cases/${code}` }) },
  ...['payments', 'payouts'].map((part) => ({
    name: `admin-${part}`,
    visit: asAdmin(`operations?tab=${part}`),
  })),
  ...['money', 'health', 'log', 'price'].map((part) => ({
    name: `admin-${part}`,
    visit: asAdmin(`control?tab=${part}`),
  })),
  { name: 'admin-notifications', visit: deliveriesOfEachKind, isWhole: true },
  { name: 'admin-price-confirm', visit: asAdmin('control?tab=price'), act: enterPrice },
  { name: 'admin-audit-checks', visit: asAdmin('control?tab=health'), act: opens('Checks') },
  { name: 'admin-hold', visit: payoutsThatWait(null), act: opens('Hold') },
  { name: 'admin-retry', visit: payoutsThatWait('HELD'), act: opens('Try again') },
  { name: 'admin-attach', visit: PAYMENTS, act: opens('Attach') },
  { name: 'admin-refunded', visit: PAYMENTS, act: opens('Mark refunded') },
]

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

/** Presses the first button with that name, waits for its dialog, and unfolds a part of the dialog if one is named. */
function opens(name: string | RegExp, part?: string) {
  return async (page: Page): Promise<void> => {
    await press(page.getByRole('button', { name }))
    await expect(page.getByRole('dialog')).toBeVisible()
    if (part !== undefined) await page.getByRole('dialog').getByText(part).first().click()
  }
}

/** Presses the first of these buttons, in the rest of a folded row if none is in view. */
async function press(buttons: Locator): Promise<void> {
  const unfold = buttons.page().getByRole('button', { name: 'More', exact: true }).first()
  await buttons.or(unfold).first().waitFor()
  if ((await buttons.count()) === 0) await unfold.click()
  await buttons.first().click()
}

function showForm(name: string) {
  return async (page: Page): Promise<void> => {
    await press(page.getByRole('button', { name, exact: true }))
    await expect(page.getByRole('textbox', { name: 'Name' })).toBeVisible()
  }
}

async function reviewPlan(page: Page): Promise<void> {
  await showForm('Add plan')(page)
  for (const [name, value] of [
    ['Plan code', 'PLAN-90'],
    ['Name', 'Plan 90'],
    ['Total reward (DCT)', '1000'],
    ['Duration (days)', '90'],
    ['Total percentage (%)', '18'],
    ['Daily limit (DCT)', '100'],
  ] as const) {
    await page.getByLabel(name, { exact: true }).fill(value)
  }
  await opens('Fund and create')(page)
}

/** Has the service ask for consent to the terms. */
async function askForConsent(page: Page): Promise<void> {
  await refuse(page, '/api/user/check-terms', 'The terms have changed.', 'TERMS_CONSENT_REQUIRED')
}

async function payUnderNewTerms(page: Page): Promise<void> {
  await opens('Pay Now')(page)
  await page.getByText('I have the transaction hash').click()
  await page.getByLabel('BSC transaction hash').fill(`0x${'1'.repeat(64)}`)
  await page.getByRole('button', { name: 'Submit payment hash' }).click()
  const dialog = page.getByRole('dialog', { name: 'The terms have changed' })
  await expect(dialog.getByRole('checkbox')).toBeVisible()
}

async function editTerms(page: Page): Promise<void> {
  for (const name of ['English text', 'Indonesian text']) {
    const box = page.getByRole('textbox', { name })
    await box.fill(`${await box.inputValue()}\n- One more *rule*\n`)
  }
  await page.getByText('Preview', { exact: true }).click()
}

function showTab(name: string) {
  return async (page: Page): Promise<void> => {
    await page.getByRole('tab', { name, exact: true }).first().click()
    await untilLoaded(page)
  }
}

async function enterPercentage(page: Page): Promise<void> {
  await opens('Edit %')(page)
  await page.getByRole('textbox', { name: 'New percentage (1 - 75)' }).fill('10')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByRole('dialog', { name: 'Confirm Update' })).toBeVisible()
}

async function enterPrice(page: Page): Promise<void> {
  await page.getByRole('textbox', { name: 'New price (USDT for one DCT)' }).fill('1.05')
  await opens('Set the price')(page)
}

async function openMenu(page: Page): Promise<void> {
  const menu = page.getByRole('button', { name: 'Menu', exact: true })
  if (await menu.isVisible()) await menu.click()
}

async function showEarnings(page: Page): Promise<void> {
  await showTab('Over time')(page)
  await page.getByText('Show the figures', { exact: true }).click()
}

async function openProgress(page: Page): Promise<void> {
  await page.getByText('Progress over time').first().click()
  await expect(page.getByRole('img', { name: /DCT credited/ })).toBeVisible()
}

function enterJoin(page: Page): Promise<void> {
  return fillJoin(page, { plan: 'PLAN-720', amount: '50' })
}

async function reviewJoin(page: Page): Promise<void> {
  await enterJoin(page)
  await joinForm(page).join.click()
  await expect(joinReview(page).dialog).toBeVisible()
}

async function startJoin(page: Page): Promise<void> {
  await reviewJoin(page)
  await joinReview(page).confirm.click()
  await expect(overlay(page).getByText(/Remaining time/)).toBeVisible()
}

/** Alters the reply to show every channel in use, with an e-mail address whose mailbox is full. */
function withChannels(reply: object) {
  const device = (id: string, name: string, state: string) => ({
    ...{
      id,
      state,
      endpoint: `https://push.example.org/${id}`,
      created_at: '2026-01-31T03:00:00Z',
    },
    device: `Mozilla/5.0 (${name}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/143.0.0.0 Safari/537.36`,
  })
  return {
    ...reply,
    language: 'id',
    offered: { email: true, telegram: true, push: true },
    email: {
      address: 'a-rather-long-name.of.a-holder@mail.example.org',
      state: 'ended',
      problem: 'full',
    },
    telegram: { name: 'Ayu Lestari', state: 'linked' },
    push: [
      device('1', 'Linux; Android 15; Pixel 9', 'subscribed'),
      device('2', 'X11; Linux', 'ended'),
    ],
  }
}
