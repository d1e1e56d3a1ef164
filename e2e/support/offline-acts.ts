import type { Page } from '@playwright/test'
import { GALLERY, type Shot } from './gallery.ts'
import { alter } from './provoke.ts'

/** An action that a user can request: the steps that lead to it, and the final click. */
type OfflineAct = {
  name: string
  visit: Shot['visit']
  prepare?(page: Page): Promise<unknown>
  press(page: Page): Promise<void>
  /** The calls that the action would make. */
  path: RegExp
}

const HASH = `0x${'ab'.repeat(32)}`

/** All actions, by role. Steps of a dialog that need a connection are taken before the connection is cut. */
export const OFFLINE_ACTS: readonly OfflineAct[] = [
  {
    name: 'a login',
    visit: ({ newcomer }) => ({ as: newcomer, isSignedIn: false, path: '/login' }),
    prepare: untilConnected,
    press: pressing('Login'),
    path: /auth\/(challenge|login)$/,
  },
  {
    name: 'a registration',
    visit: ({ newcomer }) => ({ as: newcomer, isSignedIn: false, path: '/register' }),
    async prepare(page) {
      await untilConnected(page)
      await page.getByRole('textbox', { name: 'E-mail' }).fill('dewi@example.org')
      await page.getByRole('checkbox').check()
    },
    press: pressing('Register Now'),
    path: /auth\/(challenge|register)$/,
  },
  { ...shot('claim-dialog'), press: inDialog('Confirm'), path: /user\/claim$/ },
  { ...shot('cancel-claim'), press: inDialog('Cancel this claim'), path: /cancel-claim$/ },
  {
    ...shot('fees'),
    name: 'pay-dialog',
    prepare: pressing('Pay Now'),
    async press(page) {
      const dialog = page.getByRole('dialog')
      await dialog.getByText('I have the transaction hash').click()
      await dialog.getByPlaceholder('0x…').fill(HASH)
      await inDialog('Submit payment hash')(page)
    },
    path: /pay-claim-fee$/,
  },
  {
    ...shot('referral-claim'),
    async press(page) {
      await page
        .getByRole('dialog')
        .getByRole('textbox')
        .fill(`0x${'12'.repeat(20)}`)
      await inDialog('Confirm')(page)
    },
    path: /auth\/challenge|save-referral-claim-pool$/,
  },
  {
    name: 'the return of the capital',
    visit: ({ holder }) => ({ as: holder, path: '/dashboard', before: showEnded }),
    press: pressing('Claim Capital'),
    path: /request-claim$/,
  },
  { ...shot('account'), press: pressing('Log out everywhere'), path: /auth\/sessions$/ },
  { ...shot('admin-approve'), press: inDialog('Confirm'), path: /referral-claim-approval$/ },
  { ...shot('admin-decline'), press: reasonThen('Decline'), path: /referral-claim-decline$/ },
  {
    ...shot('admin-percentage-confirm'),
    press: inDialog('Confirm'),
    path: /update-referral-reward$/,
  },
  { ...shot('admin-plan-edit'), press: pressing('Save'), path: /admin\/earning-plans$/ },
  { ...shot('admin-price-confirm'), press: inDialog('Confirm'), path: /admin\/price$/ },
  { ...shot('admin-hold'), press: reasonThen('Hold'), path: /payouts\/hold$/ },
  { ...shot('admin-retry'), press: inDialog('Try again'), path: /payouts\/retry$/ },
  {
    ...shot('admin-attach'),
    async press(page) {
      await page.getByRole('dialog').getByRole('textbox').first().fill('CLM-1')
      await inDialog('Attach')(page)
    },
    path: /attach$/,
  },
  {
    ...shot('admin-refunded'),
    press: inDialog('I am sending it back now'),
    path: /money-steps$/,
  },
  { ...shot('admin-health'), press: pressing('Audit everything now'), path: /audits$/ },
  {
    ...shot('admin-health'),
    name: 'admin-health-test',
    press: pressing('Send a test message'),
    path: /notifications\/test$/,
  },
  { ...shot('admin-close'), press: pressing('Close this day'), path: /daily-closes?\// },
  {
    ...shot('admin-case'),
    async press(page) {
      await page.getByRole('textbox', { name: 'New note' }).fill('asked by telephone')
      await pressing('Save the note')(page)
    },
    path: /notes$/,
  },
  {
    ...shot('admin-case'),
    name: 'admin-case-link',
    press: pressing('Create a link'),
    path: /links$/,
  },
  { ...shot('admin-case'), name: 'admin-case-end', press: pressing('Revoke'), path: /links\// },
]

function shot(name: string): Pick<OfflineAct, 'name' | 'visit' | 'prepare'> {
  const found = GALLERY.find((one) => one.name === name)
  if (!found) throw new Error(`The gallery has no ${name}`)
  return { name, visit: found.visit, ...(found.act && { prepare: found.act }) }
}

/** Waits until the wallet's address is shown. */
function untilConnected(page: Page): Promise<void> {
  return page
    .getByText(/^T[1-9A-HJ-NP-Za-km-z]{33}$/)
    .first()
    .waitFor()
}

function pressing(name: string) {
  return (page: Page) => page.getByRole('button', { name, exact: true }).first().click()
}

function inDialog(name: string) {
  return (page: Page) =>
    page.getByRole('dialog').getByRole('button', { name, exact: true }).last().click()
}

function reasonThen(name: string) {
  return async (page: Page): Promise<void> => {
    await page.getByRole('dialog').getByRole('textbox').fill('asked for by its holder')
    await inDialog(name)(page)
  }
}

/** Alters the response so that all earnings have reached their end. */
function showEnded(page: Page): Promise<void> {
  return alter<{ earnings: object[] }>(page, '/api/user/earnings', (reply) => ({
    ...reply,
    earnings: reply.earnings.map((earning) => ({ ...earning, end_date: '2020-01-01' })),
  }))
}
