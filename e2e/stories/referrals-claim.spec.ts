import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import type { OutsideHolder } from '../outside/outside-client.ts'
import { callsOf } from '../support/calls.ts'
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
  block,
  claimDialog,
  payFees,
  REFERRAL_PATHS,
  referralCodeOf,
  type Summary,
  summaryCard,
} from '../support/referrals.ts'
import { fact, toast, untilLoaded } from '../support/screens.ts'
import { expect, test } from '../support/test.ts'
import { rejectInWallet, walletQuestion } from '../support/wallet.ts'

const NOT_OPEN = 'Claiming will be available starting April 5, 2025.'
const BAD_ADDRESS = 'Invalid BSC USDT address format.'
const ADDRESS = `0x${'1a'.repeat(20)}`

let holder: OutsideHolder
test.beforeAll(async ({ product }) => {
  holder = await product.holder()
  const friend = await product.holder({ referrerCode: await referralCodeOf(holder) })
  await payFees(product, [friend])
})

const directButton = (page: Page) => page.getByRole('button', { name: /^Claim Fee Referral/ })
const nonDirectButton = (page: Page) =>
  page.getByRole('button', { name: 'Claim Non-Fee Referral', exact: true })

/** Shows a summary of these figures, all others 0. */
function showSummary(figures: Partial<Summary>) {
  return (page: Page) =>
    alter<{ referral_summary: Summary }>(page, REFERRAL_PATHS.summary, (reply) => {
      const none = Object.entries(reply.referral_summary).map(([name, value]) => [
        name,
        name === 'tron_address' ? value : '0.000000',
      ])
      return { referral_summary: { ...Object.fromEntries(none), ...figures } }
    })
}

const FIGURES = {
  total_direct_reward: '12.345678',
  total_direct_claimed: '2.345600',
  total_direct_unclaimed: '10.000078',
  total_indirect_reward: '5.500000',
  total_indirect_claimed: '1.250000',
  total_indirect_unclaimed: '4.250000',
}

test('[REF-21, REF-22, REF-23, REF-24, REF-25, REF-26, REF-27, REF-29] the summary and its buttons', async ({
  visit,
}) => {
  const { page } = await visit({
    as: holder,
    wallet: 'absent',
    path: '/referrals',
    before: showSummary(FIGURES),
  })
  const summary = block(page, 'Referral Summary')
  await expect(summary.getByTitle(holder.address)).toContainText(holder.address)
  for (const [card, ...figures] of [
    ['Direct Rewards', '12.345678', '2.345600', '10.000078'],
    ['Non-Fee Referral', '5.500000', '1.250000', '4.250000'],
    ['Total Summary', '17.845678', '3.595600', '14.250078'],
  ] as const) {
    for (const [index, term] of ['Total Reward', 'Total Claimed', 'Total Unclaimed'].entries()) {
      await expect(fact(summaryCard(page, card), term)).toHaveText(`${figures[index]} USDT`)
    }
  }
  await expect(directButton(page)).toHaveText('Claim Fee Referral (10.000078 USDT)')
  await expect(nonDirectButton(page)).toBeVisible()
  await expect(page.getByText(NOT_OPEN)).toHaveCount(0)
})

test('[REF-22, REF-27, REF-28, REF-30] each button shows with something to claim alone', async ({
  visit,
  product,
}) => {
  const { page } = await visit({ as: holder, wallet: 'absent', path: '/referrals' })
  const earned = fact(summaryCard(page, 'Direct Rewards'), 'Total Unclaimed')
  await expect(earned).toHaveText('0.036000 USDT')
  await expect(directButton(page)).toHaveText('Claim Fee Referral (0.036000 USDT)')
  await expect(nonDirectButton(page)).toHaveCount(0)

  const newcomer = await product.holder({ assets: {} })
  const other = await visit({ as: newcomer, wallet: 'absent', path: '/referrals' })
  await expect(fact(summaryCard(other.page, 'Total Summary'), 'Total Reward')).toHaveText(
    '0.000000 USDT',
  )
  await expect(directButton(other.page)).toHaveCount(0)
  await expect(nonDirectButton(other.page)).toHaveCount(0)
})

test('[REF-29, REF-31, REF-32] the non-fee referral opens on 2025-04-05 at 00:00 UTC+7', async ({
  visit,
}) => {
  for (const [instant, day, isOpen] of [
    ['2025-04-04T16:59:59.000Z', '2025-04-04', false],
    ['2025-04-04T17:00:00.000Z', '2025-04-05', true],
  ] as const) {
    for (const unclaimed of ['4.250000', '0.000000']) {
      const { page } = await visit({
        as: holder,
        wallet: 'absent',
        path: '/referrals',
        async before(fresh) {
          await fresh.clock.setFixedTime(instant)
          await alter<object>(fresh, '/api/config', (reply) => ({ ...reply, business_date: day }))
          await showSummary({ total_indirect_unclaimed: unclaimed })(fresh)
        },
      })
      await expect(fact(summaryCard(page, 'Non-Fee Referral'), 'Total Unclaimed')).toHaveText(
        `${unclaimed} USDT`,
      )
      await untilLoaded(page)
      await expect(page.getByText(NOT_OPEN, { exact: true })).toHaveCount(isOpen ? 0 : 1)
      const isShown = isOpen && unclaimed !== '0.000000'
      await expect(nonDirectButton(page)).toHaveCount(isShown ? 1 : 0)
    }
  }
})

test('[REF-31] an open page shows the button by itself when the time comes', async ({ visit }) => {
  let day = '2025-04-04'
  const { page } = await visit({
    as: holder,
    wallet: 'absent',
    path: '/referrals',
    async before(fresh) {
      await fresh.clock.install({ time: '2025-04-04T16:00:00Z' })
      await alter<object>(fresh, '/api/config', (reply) => ({ ...reply, business_date: day }))
      await showSummary(FIGURES)(fresh)
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

test('[REF-33] no summary: said so', async ({ visit }) => {
  const { page } = await visit({
    as: holder,
    wallet: 'absent',
    path: '/referrals',
    before: (fresh) => answer(fresh, REFERRAL_PATHS.summary, { referral_summary: null }),
  })
  const summary = block(page, 'Referral Summary')
  await expect(summary.getByText('Referral summary not found.', { exact: true })).toBeVisible()
  await expect(summary.getByRole('article')).toHaveCount(0)
})

test('[REF-34, ERR-02] a summary that cannot be loaded', async ({ visit }) => {
  const { page } = await visit({
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
  await page.reload()
  await expect(toast(page, 'The summary is being mended.')).toBeVisible()
  await expect(toast(page, fallback)).toHaveCount(0)
})

test('[RCLAIM-01, RCLAIM-02, RCLAIM-03, RCLAIM-04, RCLAIM-05, RCLAIM-06, RCLAIM-07, RCLAIM-08] the dialog, and its way out', async ({
  visit,
}) => {
  const { page, calls } = await visit({
    as: holder,
    path: '/referrals',
    before: showSummary(FIGURES),
  })
  for (const [open, amount, label] of [
    [directButton, '10.000078 USDT', 'Direct'],
    [nonDirectButton, '4.250000 USDT', 'Non-Direct'],
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
  const { page, calls } = await visit({
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
    await address.fill(wrong)
    await confirm.click()
    await expect(toast(page, BAD_ADDRESS)).toBeVisible()
    await expect(toast(page, BAD_ADDRESS)).toHaveCount(0)
  }
  expect(callsOf(calls, 'POST', REFERRAL_PATHS.challenge)).toEqual([])
  await address.fill(ADDRESS)
  await confirm.click()
  await expect(walletQuestion(page, 'Sign this message')).toContainText('Claim my referral reward')
  await rejectInWallet(page, 'Sign this message')
  await expect(
    toast(page, 'You declined the request in the wallet. Nothing was sent.'),
  ).toBeVisible()
  expect(callsOf(calls, 'POST', REFERRAL_PATHS.save)).toEqual([])
})

test('[RCLAIM-11, RCLAIM-16, RCLAIM-17, ERR-02] what is said after a claim', async ({ visit }) => {
  const { page } = await visit({ as: holder, path: '/referrals', tolerates: FAILED_CALLS })
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

test('[RCLAIM-18] without the stored token nothing is asked', async ({ visit }) => {
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
  await block(page, 'My referral').getByRole('button', { name: 'Join Date' }).click()
  await expect(noToken).toBeVisible()
})

for (const theme of ['dark', 'light']) {
  test(`the page and its dialog fit a phone and are accessible (${theme})`, async ({ visit }) => {
    const { page } = await visit({
      as: holder,
      wallet: 'absent',
      path: '/referrals',
      storage: { theme },
      context: { viewport: { width: 360, height: 800 } },
      before: showSummary({ ...FIGURES, total_direct_unclaimed: '1234567.123456' }),
    })
    await expect(directButton(page)).toBeVisible()
    await untilLoaded(page)
    const width = await page.evaluate(() => document.documentElement.scrollWidth)
    expect(width).toBeLessThanOrEqual(360)
    const complaintsOf = async (place: string) =>
      (await new AxeBuilder({ page }).include(place).analyze()).violations
    await expect.poll(() => complaintsOf('main')).toEqual([])
    await directButton(page).click()
    await claimDialog(page).address.fill(ADDRESS)
    await expect.poll(() => complaintsOf('[role="dialog"]')).toEqual([])
  })
}
