import { expect, type Locator, type Page } from '@playwright/test'
import { deliveries } from './deliveries.ts'
import { alter, answer, FAILED_CALLS, refuse } from './provoke.ts'
import { fillJoin, joinForm, joinReview, overlay, untilLoaded } from './screens.ts'

export type Who = 'admin' | 'holder' | 'claimant' | 'newcomer'

/** What the paths of some pages name. */
export type Records = {
  /** The code of a claim with an open fee. */
  code: string
  /** The token of a support link to that claim. */
  token: string
}

/** One page or dialog of the product. */
export type Shot = {
  name: string
  /** Who opens it; a visitor without it. */
  who?: Who
  isSignedIn?: boolean
  path: string | ((records: Records) => string)
  wallet?: 'asking'
  /** Runs before the page is opened, such as to alter replies. */
  before?(page: Page): Promise<unknown>
  /** Console messages and errors that are provoked on purpose. */
  tolerates?: RegExp
  act?(page: Page): Promise<unknown>
  /** Whether to capture the whole page; for dialogs the visible part is enough. */
  isWhole?: boolean
  /** Whether the page never finishes loading, so that the test must not wait for it. */
  isBusy?: boolean
}

const asVisitor = (path: string) => ({ path })
const asHolder = (path: string) => ({ who: 'holder', path }) as const
const asClaimant = (path: string) => ({ who: 'claimant', path }) as const
const asNewcomer = (path: string) => ({ who: 'newcomer', path }) as const
const asAdmin = (path: string) => ({ who: 'admin', path: `/admin/${path}` }) as const
/** Shows the list of payouts, all of them waiting for this reason. */
const payoutsThatWait = (wait_reason: string | null) => ({
  ...asAdmin('operations?tab=payouts'),
  before: (page: Page) =>
    alter<{ payouts: { state: string }[] }>(page, '/api/admin/payouts', (reply) => ({
      ...reply,
      payouts: reply.payouts.map((payout) => ({ ...payout, state: 'waiting', wait_reason })),
    })),
})
/** Shows the open fee as it was before a payment of another amount arrived. */
const beforePaying = {
  ...asClaimant('/dashboard'),
  before: (page: Page) =>
    alter<{ pending_fees: object[] }>(page, '/api/user/pending-claim-fees', (reply) => ({
      ...reply,
      pending_fees: reply.pending_fees.map((fee) => ({ ...fee, mismatch: null })),
    })),
}
/** Shows a delivery in every state, to receivers with long names. */
const deliveriesOfEachKind = {
  ...asAdmin('control?tab=health'),
  before: (page: Page) => answer(page, '/api/admin/deliveries', deliveries()),
}
const USERS = asAdmin('dashboard?tab=users')
const PLANS = asAdmin('dashboard?tab=plans')
const PAYMENTS = asAdmin('operations?tab=payments')
const QR_CODE = 'QR code'
const OPEN_CLAIMS = asAdmin('referral-claim-pool?tab=non-direct')

/** Every page and dialog of the product. */
export const GALLERY: readonly Shot[] = [
  { name: 'login', ...asVisitor('/login') },
  { name: 'wallets', ...asVisitor('/login'), act: opens('Other wallets') },
  { name: 'menu', ...asHolder('/user'), act: openMenu },
  { name: 'glossary', ...asVisitor('/login'), act: opens('Glossary') },
  { name: 'word', ...asHolder('/dashboard?tab=claim'), act: opens('Estimated fee') },
  { name: 'questions', ...asVisitor('/questions#fee'), isWhole: true },
  { name: 'register', ...asVisitor('/register') },
  { name: 'terms', ...asVisitor('/register'), act: opens('Read the terms and conditions') },
  { name: 'dashboard', ...asHolder('/dashboard') },
  { name: 'dashboard-empty', ...asNewcomer('/dashboard?tab=earnings') },
  { name: 'progress', ...asHolder('/dashboard'), act: openProgress, isWhole: true },
  ...['Reward Distribution History', 'Reward Claim History'].map((button) => ({
    name: button.toLowerCase().replaceAll(' ', '-'),
    ...asHolder('/dashboard'),
    act: opens(button, 'Why this amount?'),
  })),
  { name: 'activity', ...asClaimant('/activity'), isWhole: true },
  { name: 'claim', ...asHolder('/dashboard?tab=claim') },
  {
    name: 'terms-consent',
    ...asClaimant('/dashboard'),
    before: askForConsent,
    tolerates: FAILED_CALLS,
    act: payUnderNewTerms,
  },
  { name: 'claim-dialog', ...asHolder('/dashboard?tab=claim'), act: opens('Claim Half') },
  {
    name: 'join',
    ...asNewcomer('/dashboard?tab=join'),
    act: enterJoin,
    isWhole: true,
  },
  { name: 'join-review', ...asNewcomer('/dashboard?tab=join'), act: reviewJoin },
  {
    name: 'join-overlay',
    ...asNewcomer('/dashboard?tab=join'),
    wallet: 'asking',
    act: startJoin,
  },
  { name: 'fees', ...asClaimant('/dashboard') },
  { name: 'pay-dialog', ...asClaimant('/dashboard'), act: opens('Pay Now', QR_CODE) },
  { name: 'how-to-pay', ...asClaimant('/dashboard'), act: opens('How to Pay') },
  { name: 'cancel-claim', ...beforePaying, act: opens('Cancel this claim') },
  { name: 'account', ...asHolder('/user') },
  { name: 'your-data', ...asHolder('/your-data'), isWhole: true },
  { name: 'messages', ...asHolder('/messages') },
  {
    name: 'messages-chosen',
    ...asHolder('/messages'),
    before: (page) => alter(page, '/api/user/messages', withChannels),
  },
  { name: 'confirm-email', ...asVisitor('/confirm-email?token=example') },
  {
    name: 'unsubscribe',
    path: '/unsubscribe?token=example',
    before: (page) =>
      answer(page, '/api/messages/subscription', { kind: 'claimable', is_subscribed: true }),
  },
  { name: 'referrals', ...asHolder('/referrals') },
  {
    name: 'referral-tree',
    ...asHolder('/referrals'),
    act: showTab('Picture'),
    isWhole: true,
  },
  {
    name: 'referral-earnings',
    ...asHolder('/referrals'),
    act: showEarnings,
    isWhole: true,
  },
  { name: 'referral-qr', ...asHolder('/referrals'), act: opens('Show QR code') },
  { name: 'referral-claim', ...asHolder('/referrals'), act: opens('Claim Fee Referral') },
  { name: 'transparency', ...asVisitor('/transparency') },
  { name: 'terms-page', ...asVisitor('/terms') },
  { name: 'privacy', ...asVisitor('/privacy') },
  { name: 'status', ...asVisitor('/status') },
  { name: 'security', ...asVisitor('/security') },
  { name: 'support-case', path: ({ token }) => `/support/case/${token}` },
  { name: 'admin-dashboard', ...asAdmin('dashboard') },
  { name: 'admin-users', ...USERS },
  { name: 'admin-percentage', ...USERS, act: opens('Edit %') },
  { name: 'admin-percentage-confirm', ...USERS, act: enterPercentage },
  { name: 'admin-user-rewards', ...USERS, act: opens('Rewards') },
  { name: 'admin-user-claims', ...USERS, act: opens('Claims') },
  { name: 'admin-user-referrals', ...USERS, act: opens(/^Referrals of .*: 1$/) },
  { name: 'admin-transactions', ...asAdmin('dashboard?tab=transactions') },
  { name: 'admin-plans', ...PLANS },
  { name: 'admin-plan-add', ...PLANS, act: showForm('Add plan'), isWhole: true },
  { name: 'admin-plan-edit', ...PLANS, act: showForm('Edit'), isWhole: true },
  { name: 'admin-plan-review', ...PLANS, act: reviewPlan },
  { name: 'admin-participants', ...PLANS, act: opens('See participants') },
  { name: 'admin-daily-participants', ...PLANS, act: opens('See daily participants') },
  { name: 'admin-reward-history', ...asAdmin('reward-history') },
  { name: 'admin-claim-history', ...asAdmin('claim-history') },
  { name: 'admin-claim-pool', ...asAdmin('referral-claim-pool') },
  { name: 'admin-claim-pool-open', ...OPEN_CLAIMS },
  { name: 'admin-approve', ...OPEN_CLAIMS, act: opens('Approve') },
  { name: 'admin-decline', ...OPEN_CLAIMS, act: opens('Decline') },
  { name: 'admin-approvals', ...asAdmin('operations?tab=approvals') },
  { name: 'admin-cases', ...asAdmin('operations?tab=cases') },
  { name: 'admin-close', ...asAdmin('control?tab=close') },
  { name: 'admin-terms', ...asAdmin('control?tab=terms'), act: editTerms, isWhole: true },
  { name: 'admin-case', who: 'admin', path: ({ code }) => `/admin/cases/${code}` },
  ...['payments', 'payouts'].map((part) => ({
    name: `admin-${part}`,
    ...asAdmin(`operations?tab=${part}`),
  })),
  ...['money', 'health', 'log', 'price'].map((part) => ({
    name: `admin-${part}`,
    ...asAdmin(`control?tab=${part}`),
  })),
  { name: 'admin-deliveries', ...deliveriesOfEachKind, isWhole: true },
  { name: 'admin-price-confirm', ...asAdmin('control?tab=price'), act: enterPrice },
  { name: 'admin-audit-checks', ...asAdmin('control?tab=health'), act: opens('Checks') },
  { name: 'admin-hold', ...payoutsThatWait(null), act: opens('Hold') },
  { name: 'admin-retry', ...payoutsThatWait('HELD'), act: opens('Try again') },
  { name: 'admin-attach', ...PAYMENTS, act: opens('Attach') },
  { name: 'admin-refunded', ...PAYMENTS, act: opens('Mark refunded') },
]

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
