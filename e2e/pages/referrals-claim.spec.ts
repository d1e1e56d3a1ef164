import type { ConfigReply } from '@dct/api-contract/config'
import type { ReferralSummaryReply } from '@dct/api-contract/referrals'
import type { Page } from '@playwright/test'
import { accessibilityFaults } from '../support/accessibility.ts'
import { callsOf } from '../support/calls.ts'
import { applyTheme, NARROW } from '../support/looks.ts'
import { FAILED_CALLS } from '../support/provoke.ts'
import { claimDialog, REFERRAL_PATHS, summaryCard } from '../support/referrals.ts'
import {
  dismissToast,
  fact,
  part,
  sidewaysOverflow,
  toast,
  untilLoaded,
} from '../support/screens.ts'
import { acceptSignatures } from './support/sign-in.ts'
import { addressOfRole, expect, test } from './support/test.ts'
import { recordedReply, type World } from './support/world.ts'

const NOT_OPEN = 'Claiming will be available starting April 5, 2025.'
const BAD_ADDRESS = 'Invalid BSC USDT address format.'
const ADDRESS = `0x${'1a'.repeat(20)}`
const SUMMARY = `GET ${REFERRAL_PATHS.summary}`
const SAVE = `POST ${REFERRAL_PATHS.save}`

type Summary = ReferralSummaryReply['referral_summary']
const { referral_summary: recorded } = recordedReply<ReferralSummaryReply>(SUMMARY)
/** Has been paid some of both rewards. */
const earner: Summary = {
  ...{ ...recorded, waiting_direct: '0.000000', waiting_indirect: '0.000000' },
  ...{ total_direct_reward: '0.108000', total_direct_claimed: '0.036000' },
  ...{ total_direct_unclaimed: '0.072000', total_indirect_reward: '0.216000' },
  ...{ total_indirect_claimed: '0.072000', total_indirect_unclaimed: '0.144000' },
}
/** Has only unclaimed direct rewards. */
const holder: Summary = {
  ...{ ...earner, total_direct_reward: '0.036000', total_direct_claimed: '0.000000' },
  ...{ total_direct_unclaimed: '0.036000', total_indirect_reward: '0.000000' },
  ...{ total_indirect_claimed: '0.000000', total_indirect_unclaimed: '0.000000' },
}
const newcomer: Summary = {
  ...holder,
  total_direct_reward: '0.000000',
  total_direct_unclaimed: '0.000000',
}

const has = (world: World, referral_summary: Summary) => world.answer(SUMMARY, { referral_summary })

test.beforeEach(({ world }) => {
  has(world, earner)
  world.answer(`GET ${REFERRAL_PATHS.claims}`, {
    ...recordedReply<object>(`GET ${REFERRAL_PATHS.claims}`),
    ...{ referral_claim_pool: [], total: 0 },
  })
  acceptSignatures(world)
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
  const { page } = await visit({ as: 'user', path: '/referrals' })
  const summary = part(page, 'Referral Summary')
  const address = addressOfRole('user')
  await expect(summary.getByTitle(address)).toContainText(address)
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
  world,
}) => {
  has(world, holder)
  const { page } = await visit({ as: 'user', path: '/referrals' })
  await expect(fact(summaryCard(page, 'Direct Rewards'), 'Total Unclaimed')).toHaveText(
    '0.036000 USDT',
  )
  await expect(directButton(page)).toHaveText('Claim Fee Referral (0.036000 USDT)')
  await expect(nonDirectButton(page)).toHaveCount(0)
  has(world, newcomer)
  await page.reload()
  await expect(fact(summaryCard(page, 'Total Summary'), 'Total Reward')).toHaveText('0.000000 USDT')
  await expect(directButton(page)).toHaveCount(0)
  await expect(nonDirectButton(page)).toHaveCount(0)
})

const setDay = (world: World, business_date: string) =>
  world.alter<ConfigReply>('GET /api/config', (reply) => ({ ...reply, business_date }))

test('[REF-29, REF-30, REF-31, REF-32] the non-fee referral opens on 2025-04-05 at 00:00 UTC+7, also on an open page', async ({
  visit,
  world,
}) => {
  const { page } = await visit({
    ...{ as: 'user', path: '/referrals' },
    // The page's time is set before it opens.
    before: (fresh) => fresh.clock.install({ time: '2025-04-04T16:00:00Z' }),
  })
  for (const [instant, day, isOpen] of [
    ['2025-04-04T16:59:50.000Z', '2025-04-04', false],
    ['2025-04-04T17:00:10.000Z', '2025-04-05', true],
  ] as const) {
    for (const [person, unclaimed] of [
      [earner, '0.144000'],
      [holder, '0.000000'],
    ] as const) {
      has(world, person)
      setDay(world, day)
      await page.clock.setFixedTime(instant)
      await page.reload()
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
  world,
}) => {
  setDay(world, '2025-04-04')
  const { page } = await visit({
    ...{ as: 'user', path: '/referrals' },
    before: (fresh) => fresh.clock.install({ time: '2025-04-04T16:00:00Z' }),
  })
  await expect(page.getByText(NOT_OPEN)).toBeVisible()
  await page.clock.pauseAt('2025-04-04T16:59:58Z')
  await expect(page.getByText(NOT_OPEN)).toBeVisible()
  setDay(world, '2025-04-05')
  await page.clock.runFor(3_000)
  await expect(nonDirectButton(page)).toBeVisible()
  await expect(page.getByText(NOT_OPEN)).toHaveCount(0)
})

// The service always returns a summary, so the reply without one is none of its schema.
test('[REF-33] without a summary a message is shown', async ({ visit, world }) => {
  world.answer(SUMMARY, { status: 200, text: '{"referral_summary":null}' })
  const { page } = await visit({ as: 'user', path: '/referrals' })
  const summary = part(page, 'Referral Summary')
  await expect(summary.getByText('Referral summary not found.', { exact: true })).toBeVisible()
  await expect(summary.getByRole('article')).toHaveCount(0)
})

test('[REF-34, ERR-02] a summary that cannot be loaded', async ({ visit, world }) => {
  world.breakDown(SUMMARY)
  const { page, toasts } = await visit({
    ...{ as: 'user', path: '/referrals', tolerates: FAILED_CALLS },
  })
  const fallback = toast(page, 'An error occurs when taking referral summary data.')
  await expect(fallback).toBeVisible()
  world.mend(SUMMARY)
  await page.route(`**${REFERRAL_PATHS.summary}`, (route) => route.abort())
  await page.reload()
  await expect(fallback).toBeVisible()
  await page.unrouteAll()
  world.say(SUMMARY, 'The summary is being mended.')
  toasts.length = 0
  await page.reload()
  await expect(toast(page, 'The summary is being mended.')).toBeVisible()
  expect(toasts).toEqual(['The summary is being mended.'])
})

test('[RCLAIM-01, RCLAIM-02, RCLAIM-03, RCLAIM-04, RCLAIM-05, RCLAIM-06, RCLAIM-07, RCLAIM-08] the dialog, and leaving it', async ({
  visit,
}) => {
  const { page, calls } = await visit({ as: 'user', path: '/referrals' })
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
  const { page, calls, toasts, wallet } = await visit({
    ...{ as: 'user', wallet: 'connected', path: '/referrals', tolerates: FAILED_CALLS },
  })
  wallet.answerBy(() => 'no')
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
  await expect(
    toast(page, 'You declined the request in the wallet. It was not sent.'),
  ).toBeVisible()
  expect(wallet.asked.map(({ what }) => what)).toEqual(['signMessage'])
  expect(callsOf(calls, 'POST', REFERRAL_PATHS.challenge)[0]?.body).toMatchObject({
    ...{ purpose: 'referral_claim', usdt_address: ADDRESS, type: 'direct bonus' },
  })
  expect(callsOf(calls, 'POST', REFERRAL_PATHS.save)).toEqual([])
})

test('[RCLAIM-11, RCLAIM-16, RCLAIM-17, ERR-02] the messages after a claim', async ({
  visit,
  world,
}) => {
  const { page } = await visit({
    ...{ as: 'user', wallet: 'connected', path: '/referrals', tolerates: FAILED_CALLS },
  })
  await directButton(page).click()
  const { dialog, address, confirm } = claimDialog(page)
  await address.fill(ADDRESS)
  const fails = async (text: string) => {
    await confirm.click()
    await expect(toast(page, text)).toBeVisible()
    await expect(dialog).toBeVisible()
    await dismissToast(page, text)
  }
  world.say(SAVE, 'Not today.')
  await fails('Not today.')
  world.breakDown(SAVE)
  await fails('Gagal melakukan klaim reward.')
  world.mend(SAVE)
  await page.route(`**${REFERRAL_PATHS.save}`, (route) => route.abort())
  await fails('An error occurred while saving referral claim pool.')
  await page.unrouteAll()
  for (const [reply, text] of [
    [{}, 'Direct/Non-Direct Bonus USDT berhasil dikirimkan!'],
    [{ message: 'It is on its way.' }, 'It is on its way.'],
  ] as const) {
    world.answer(SAVE, { status: 200, text: JSON.stringify(reply) })
    if (await dialog.isHidden()) await directButton(page).click()
    await address.fill(ADDRESS)
    await confirm.click()
    await expect(toast(page, text)).toBeVisible()
    await expect(dialog).toHaveCount(0)
  }
})

test('[RCLAIM-18] without the stored token no call is made', async ({ visit }) => {
  const { page, calls } = await visit({ as: 'user', wallet: 'connected', path: '/referrals' })
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

test('the page and its dialog fit a phone and are accessible in both themes', async ({
  visit,
  world,
}) => {
  has(world, { ...earner, total_direct_unclaimed: '1234567.123456' })
  const { page } = await visit({ as: 'user', path: '/referrals', viewport: NARROW })
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
