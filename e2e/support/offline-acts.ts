import type { Page } from '@playwright/test'
import { GALLERY, type Shot } from './gallery.ts'
import { alter } from './provoke.ts'

/** An action that a user can request: the steps that lead to it, and the final click. */
type OfflineAct = Omit<Shot, 'act'> & {
  prepare?(page: Page): Promise<unknown>
  press(page: Page): Promise<void>
  /** The calls that the action would make. */
  call: RegExp
}

const SIGNED_OUT = { who: 'newcomer', isSignedIn: false } as const
const HASH = `0x${'ab'.repeat(32)}`

/** All actions, by role. Steps of a dialog that need a connection are taken before the connection is cut. */
export const OFFLINE_ACTS: readonly OfflineAct[] = [
  {
    name: 'a login',
    ...SIGNED_OUT,
    path: '/login',
    prepare: untilConnected,
    press: pressing('Login'),
    call: /auth\/(challenge|login)$/,
  },
  {
    name: 'a registration',
    ...SIGNED_OUT,
    path: '/register',
    async prepare(page) {
      await untilConnected(page)
      await page.getByRole('textbox', { name: 'E-mail' }).fill('dewi@example.org')
      await page.getByRole('checkbox').check()
    },
    press: pressing('Register Now'),
    call: /auth\/(challenge|register)$/,
  },
  { ...shot('claim-dialog'), press: inDialog('Confirm'), call: /user\/claim$/ },
  { ...shot('cancel-claim'), press: inDialog('Cancel this claim'), call: /cancel-claim$/ },
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
    call: /pay-claim-fee$/,
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
    call: /auth\/challenge|save-referral-claim-pool$/,
  },
  {
    name: 'the return of the capital',
    who: 'holder',
    path: '/dashboard',
    before: showEnded,
    press: pressing('Claim Capital'),
    call: /request-claim$/,
  },
  { ...shot('account'), press: pressing('Log out everywhere'), call: /auth\/sessions$/ },
  { ...shot('admin-approve'), press: inDialog('Confirm'), call: /referral-claim-approval$/ },
  { ...shot('admin-decline'), press: reasonThen('Decline'), call: /referral-claim-decline$/ },
  {
    ...shot('admin-percentage-confirm'),
    press: inDialog('Confirm'),
    call: /update-referral-reward$/,
  },
  { ...shot('admin-plan-edit'), press: pressing('Save'), call: /admin\/earning-plans$/ },
  { ...shot('admin-price-confirm'), press: inDialog('Confirm'), call: /admin\/price$/ },
  { ...shot('admin-hold'), press: reasonThen('Hold'), call: /payouts\/hold$/ },
  { ...shot('admin-retry'), press: inDialog('Try again'), call: /payouts\/retry$/ },
  {
    ...shot('admin-attach'),
    async press(page) {
      await page.getByRole('dialog').getByRole('textbox').first().fill('CLM-1')
      await inDialog('Attach')(page)
    },
    call: /attach$/,
  },
  {
    ...shot('admin-refunded'),
    press: inDialog('I am sending it back now'),
    call: /money-steps$/,
  },
  { ...shot('admin-health'), press: pressing('Audit everything now'), call: /audits$/ },
  {
    ...shot('admin-health'),
    name: 'admin-health-test',
    press: pressing('Send a test message'),
    call: /deliveries\/test$/,
  },
  { ...shot('admin-close'), press: pressing('Close this day'), call: /daily-closes?\// },
  {
    ...shot('admin-case'),
    async press(page) {
      await page.getByRole('textbox', { name: 'New note' }).fill('asked by telephone')
      await pressing('Save the note')(page)
    },
    call: /notes$/,
  },
  {
    ...shot('admin-case'),
    name: 'admin-case-link',
    press: pressing('Create a link'),
    call: /links$/,
  },
  { ...shot('admin-case'), name: 'admin-case-end', press: pressing('Revoke'), call: /links\// },
]

function shot(name: string): Omit<OfflineAct, 'press' | 'call'> {
  const found = GALLERY.find((one) => one.name === name)
  if (!found) throw new Error(`The gallery has no ${name}`)
  const { act, ...rest } = found
  return { ...rest, ...(act && { prepare: act }) }
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
