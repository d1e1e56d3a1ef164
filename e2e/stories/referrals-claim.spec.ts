import type { Page, Response } from '@playwright/test'
import type { OutsideHolder } from '../outside/outside-client.ts'
import { accessibilityFaults } from '../support/accessibility.ts'
import { callsOf } from '../support/calls.ts'
import { applyTheme, NARROW } from '../support/looks.ts'
import {
  alter,
  answer,
  breakDown,
  cutOff,
  FAILED_CALLS,
  refuse,
  restore,
} from '../support/provoke.ts'
import {
  claimDialog,
  claimReferral,
  payFees,
  REFERRAL_PATHS,
  referralCodeOf,
  setPercentage,
  summaryCard,
} from '../support/referrals.ts'
import { claimed, paid } from '../support/scenes.ts'
import { fact, part, sidewaysOverflow, toast, untilLoaded } from '../support/screens.ts'
import { expect, test } from '../support/test.ts'
import { rejectInWallet, untilWalletInjected, walletQuestion } from '../support/wallet.ts'

const NOT_OPEN = 'Claiming will be available starting April 5, 2025.'
const BAD_ADDRESS = 'Invalid BSC USDT address format.'
const ADDRESS = `0x${'1a'.repeat(20)}`

let holder: OutsideHolder
/** Has a percentage, has been paid the rewards from a first fee, and has not claimed those from a second one. */
let earner: OutsideHolder
test.beforeAll(async ({ product, admin }) => {
  holder = await product.holder()
  earner = await product.holder()
  await setPercentage(product, earner, '20')
  const [friend, payer] = [
    await product.holder({ referrerCode: await referralCodeOf(holder) }),
    await product.holder({ referrerCode: await referralCodeOf(earner) }),
  ]
  await payFees(product, [friend, payer])
  for (const type of ['direct bonus', 'non-direct'] as const) {
    const id = await claimReferral(earner, type)
    await admin.call('PUT', '/api/admin/referral-claim-approval', { id })
  }
  await product.advance(12)
  await paid(product, payer, await claimed(product, payer, { type: 'FULL' }))
})

const directButton = (page: Page) => page.getByRole('button', { name: /^Claim Fee Referral/ })
const nonDirectButton = (page: Page) =>
  page.getByRole('button', { name: 'Claim Non-Fee Referral', exact: true })

/** From fees of 0.36 and 0.72 USDT, a tenth as the direct reward and 20 % as the non-direct one. */
const FIGURES = [
  ['Direct Rewards', '0.108000', '0.036000', '0.072000'],
  ['Non-Fee Referral', '0.216000', '0.072000', '0.144000'],
  ['Total Summary', '0.324000', '0.108000', '0.216000'],
] as const

test('[REF-21, REF-22, REF-23, REF-24, REF-25, REF-26, REF-27, REF-29] the summary and its buttons', async ({
  visit,
}) => {
  const { page } = await visit({ as: earner, wallet: 'absent', path: '/referrals' })
  const summary = part(page, 'Referral Summary')
  await expect(summary.getByTitle(earner.address)).toContainText(earner.address)
  for (const [card, ...figures] of FIGURES) {
    for (const [index, term] of ['Total Reward', 'Total Claimed', 'Total Unclaimed'].entries()) {
      await expect(fact(summaryCard(page, card), term)).toHaveText(`${figures[index]} USDT`)
    }
  }
  await expect(directButton(page)).toHaveText('Claim Fee Referral (0.072000 USDT)')
  await expect(nonDirectButton(page)).toBeVisible()
  await expect(page.getByText(NOT_OPEN)).toHaveCount(0)
})

test('[REF-22, REF-27, REF-28, REF-30] each button is shown only when there is something to claim', async ({
  visit,
  product,
}) => {
  const { page } = await visit({ as: holder, wallet: 'absent', path: '/referrals' })
  const earned = fact(summaryCard(page, 'Direct Rewards'), 'Total Unclaimed')
  await expect(earned).toHaveText('0.036000 USDT')
  await expect(directButton(page)).toHaveText('Claim Fee Referral (0.036000 USDT)')
  await expect(nonDirectButton(page)).toHaveCount(0)

  const newcomer = await product.holder()
  const other = await visit({ as: newcomer, wallet: 'absent', path: '/referrals' })
  await expect(fact(summaryCard(other.page, 'Total Summary'), 'Total Reward')).toHaveText(
    '0.000000 USDT',
  )
  await expect(directButton(other.page)).toHaveCount(0)
  await expect(nonDirectButton(other.page)).toHaveCount(0)
})

/** Overrides the product's day, because its chains started after 2025 and their time cannot go back. */
const setDay = (page: Page, day: () => string) =>
  alter<object>(page, '/api/config', (reply) => ({ ...reply, business_date: day() }))

test('[REF-29, REF-30, REF-31, REF-32] the non-fee referral opens on 2025-04-05 at 00:00 UTC+7', async ({
  visit,
}) => {
  for (const [instant, day, isOpen] of [
    ['2025-04-04T16:59:59.000Z', '2025-04-04', false],
    ['2025-04-04T17:00:00.000Z', '2025-04-05', true],
  ] as const) {
    for (const [person, unclaimed] of [
      [earner, '0.144000'],
      [holder, '0.000000'],
    ] as const) {
      let configured: Promise<Response> | undefined
      const { page } = await visit({
        as: person,
        wallet: 'absent',
        path: '/referrals',
        async before(fresh) {
          await fresh.clock.setFixedTime(instant)
          await setDay(fresh, () => day)
          configured = fresh.waitForResponse('**/api/config')
        },
      })
      await (await configured)?.finished()
      await expect(fact(summaryCard(page, 'Non-Fee Referral'), 'Total Unclaimed')).toHaveText(
        `${unclaimed} USDT`,
      )
      await untilLoaded(page)
      await expect(page.getByText(NOT_OPEN, { exact: true })).toHaveCount(isOpen ? 0 : 1)
      await expect(nonDirectButton(page)).toHaveCount(isOpen && person === earner ? 1 : 0)
    }
  }
})

test('[REF-31] an open page shows the button automatically when the time comes', async ({
  visit,
}) => {
  let day = '2025-04-04'
  const { page } = await visit({
    as: earner,
    wallet: 'absent',
    path: '/referrals',
    async before(fresh) {
      await fresh.clock.install({ time: '2025-04-04T16:00:00Z' })
      await setDay(fresh, () => day)
    },
  })
  await expect(page.getByText(NOT_OPEN)).toBeVisible()
  await page.clock.pauseAt('2025-04-04T16:59:58Z')
  await expect(page.getByText(NOT_OPEN)).toBeVisible()
  day = '2025-04-05'
  await page.clock.runFor(3_000)
  await expect(nonDirectButton(page)).toBeVisible()
  await expect(page.getByText(NOT_OPEN)).toHaveCount(0)
})

// The service always returns a summary, so the response without one is faked.
test('[REF-33] without a summary a message is shown', async ({ visit }) => {
  const { page } = await visit({
    as: holder,
    wallet: 'absent',
    path: '/referrals',
    before: (fresh) => answer(fresh, REFERRAL_PATHS.summary, { referral_summary: null }),
  })
  const summary = part(page, 'Referral Summary')
  await expect(summary.getByText('Referral summary not found.', { exact: true })).toBeVisible()
  await expect(summary.getByRole('article')).toHaveCount(0)
})

test('[REF-34, ERR-02] a summary that cannot be loaded', async ({ visit }) => {
  const { page, toasts } = await visit({
    as: holder,
    wallet: 'absent',
    path: '/referrals',
    tolerates: FAILED_CALLS,
  })
  await untilLoaded(page)
  const fallback = 'An error occurs when taking referral summary data.'
  for (const provoke of [breakDown, cutOff]) {
    await provoke(page, REFERRAL_PATHS.summary)
    await page.reload()
    await expect(toast(page, fallback)).toBeVisible()
    await restore(page)
  }
  await refuse(page, REFERRAL_PATHS.summary, 'The summary is being mended.')
  toasts.length = 0
  await page.reload()
  await expect(toast(page, 'The summary is being mended.')).toBeVisible()
  expect(toasts).toEqual(['The summary is being mended.'])
})

test('[RCLAIM-01, RCLAIM-02, RCLAIM-03, RCLAIM-04, RCLAIM-05, RCLAIM-06, RCLAIM-07, RCLAIM-08] the dialog, and leaving it', async ({
  visit,
}) => {
  const { page, calls } = await visit({ as: earner, path: '/referrals' })
  for (const [open, amount, label] of [
    [directButton, '0.072000 USDT', 'Direct'],
    [nonDirectButton, '0.144000 USDT', 'Non-Direct'],
  ] as const) {
    await open(page).click()
    const { dialog, address, cancel, confirm } = claimDialog(page)
    await expect(dialog.getByRole('heading', { name: 'Confirm Claim', exact: true })).toBeVisible()
    await expect(fact(dialog, 'Amount')).toHaveText(amount)
    await expect(fact(dialog, 'Bonus type')).toHaveText(label)
    await expect(address).toHaveAttribute('placeholder', 'Enter BSC USDT address')
    await address.fill(ADDRESS)
    await expect(confirm).toBeEnabled()
    await cancel.click()
    await expect(dialog).toHaveCount(0)
  }
  expect(callsOf(calls, 'POST', REFERRAL_PATHS.challenge)).toEqual([])
  expect(callsOf(calls, 'POST', REFERRAL_PATHS.save)).toEqual([])
})

test('[RCLAIM-08, RCLAIM-09] only a BSC address is sent', async ({ visit }) => {
  const { page, calls, toasts } = await visit({
    as: holder,
    wallet: 'asking',
    path: '/referrals',
    tolerates: FAILED_CALLS,
  })
  await directButton(page).click()
  const { address, confirm } = claimDialog(page)
  const digits = '1a'.repeat(20)
  for (const wrong of [
    '',
    digits,
    `0x${digits.slice(1)}`,
    `0x${digits}0`,
    `0x${digits.slice(1)}g`,
  ]) {
    toasts.length = 0
    await address.fill(wrong)
    await confirm.click()
    await expect.poll(() => toasts, wrong).toEqual([BAD_ADDRESS])
  }
  expect(callsOf(calls, 'POST', REFERRAL_PATHS.challenge)).toEqual([])
  await address.fill(ADDRESS)
  await confirm.click()
  await expect(walletQuestion(page, 'Sign this message')).toContainText('of my referral reward')
  await rejectInWallet(page, 'Sign this message')
  await expect(
    toast(page, 'You declined the request in the wallet. It was not sent.'),
  ).toBeVisible()
  expect(callsOf(calls, 'POST', REFERRAL_PATHS.save)).toEqual([])
})

test('[RCLAIM-11, RCLAIM-16, RCLAIM-17, ERR-02] the messages after a claim', async ({ visit }) => {
  const { page } = await visit({ as: holder, path: '/referrals', tolerates: FAILED_CALLS })
  await untilWalletInjected(page)
  await directButton(page).click()
  const { dialog, address, confirm } = claimDialog(page)
  await address.fill(ADDRESS)
  const refusal = (target: Page, path: string) => refuse(target, path, 'Not today.')
  for (const [provoke, text] of [
    [refusal, 'Not today.'],
    [breakDown, 'Gagal melakukan klaim reward.'],
    [cutOff, 'An error occurred while saving referral claim pool.'],
  ] as const) {
    await provoke(page, REFERRAL_PATHS.save)
    await confirm.click()
    await expect(toast(page, text)).toBeVisible()
    await expect(dialog).toBeVisible()
    await restore(page)
  }
  for (const [reply, text] of [
    [{}, 'Direct/Non-Direct Bonus USDT berhasil dikirimkan!'],
    [{ message: 'It is on its way.' }, 'It is on its way.'],
  ] as const) {
    await answer(page, REFERRAL_PATHS.save, reply)
    if (await dialog.isHidden()) await directButton(page).click()
    await address.fill(ADDRESS)
    await confirm.click()
    await expect(toast(page, text)).toBeVisible()
    await expect(dialog).toHaveCount(0)
    await restore(page)
  }
})

test('a pending claim is followed step by step, instead of a button that would be refused, until it is paid', async ({
  visit,
  product,
  admin,
}) => {
  const claimant = await product.holder()
  const code = await referralCodeOf(claimant)
  await payFees(product, [await product.holder({ referrerCode: code })])
  await claimReferral(claimant, 'direct bonus')
  await payFees(product, [await product.holder({ referrerCode: code })])

  const { page } = await visit({ as: claimant, wallet: 'absent', path: '/referrals' })
  const card = summaryCard(page, 'Direct Rewards')
  await expect(fact(card, 'Total Unclaimed')).toHaveText('0.036000 USDT')
  const steps = page.getByRole('list', { name: /^Claim of / }).getByRole('listitem')
  await expect(steps.first()).toHaveText(/0\.036000 USDT claimed/)
  await expect(steps.and(page.locator('[aria-current="step"]'))).toHaveText('An admin approves it')
  await expect(page.getByText('You can leave this page: it goes on by itself.')).toBeVisible()
  await expect(directButton(page)).toHaveCount(0)

  const { claim_pool } = await admin.call<{ claim_pool: { id: string; tron_address: string }[] }>(
    'GET',
    `/api/admin/referral-claim-pool?search=${claimant.address}`,
  )
  await admin.call('PUT', '/api/admin/referral-claim-approval', { id: claim_pool[0]?.id })
  await product.settle()
  await expect(steps.last()).toContainText('0.036000 USDT has arrived')
  await expect(steps.nth(2).getByRole('link')).toHaveAttribute('href', /\/tx\/0x[0-9a-f]{64}$/)
  await expect(directButton(page)).toBeVisible()
})

test('[RCLAIM-18] without the stored token no call is made', async ({ visit }) => {
  const { page, calls } = await visit({ as: holder, path: '/referrals' })
  await directButton(page).click()
  const { address, confirm, cancel } = claimDialog(page)
  await address.fill(ADDRESS)
  await page.evaluate(() => localStorage.removeItem('authToken'))
  const noToken = toast(page, 'Token is not found, please log in again.')
  await confirm.click()
  await expect(noToken).toBeVisible()
  expect(callsOf(calls, 'POST', REFERRAL_PATHS.challenge)).toEqual([])
  await cancel.click()
  await expect(noToken).toHaveCount(0)
  await part(page, 'My referral').getByRole('button', { name: 'Join Date' }).click()
  await expect(noToken).toBeVisible()
})

test('the page and its dialog fit a phone and are accessible in both themes', async ({ visit }) => {
  const { page } = await visit({
    as: earner,
    wallet: 'absent',
    path: '/referrals',
    context: { viewport: NARROW },
    before: (fresh) =>
      alter<{ referral_summary: object }>(fresh, REFERRAL_PATHS.summary, (reply) => ({
        referral_summary: { ...reply.referral_summary, total_direct_unclaimed: '1234567.123456' },
      })),
  })
  await expect(directButton(page)).toBeVisible()
  await untilLoaded(page)
  expect(await sidewaysOverflow(page)).toBeLessThanOrEqual(0)
  const expectAccessibleIn = async (place: string) => {
    for (const theme of ['dark', 'light'] as const) {
      await applyTheme(page, theme)
      expect(await accessibilityFaults(page), `${place}, ${theme}`).toEqual([])
    }
  }
  await expectAccessibleIn('page')
  await directButton(page).click()
  await claimDialog(page).address.fill(ADDRESS)
  await expectAccessibleIn('dialog')
})
