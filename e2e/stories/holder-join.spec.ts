import type { Page } from '@playwright/test'
import type { OutsideHolder } from '../outside/outside-client.ts'
import type { EarningAnswer } from '../outside/published-shapes.ts'
import { callsOf } from '../support/calls.ts'
import { readFromContracts, sentToContracts } from '../support/chain-calls.ts'
import { alter } from '../support/provoke.ts'
import {
  fact,
  fillJoin,
  joinForm,
  joinReview,
  overlay,
  pressJoin,
  sidewaysOverflow,
  textOf,
  toast,
} from '../support/screens.ts'
import { expect, test } from '../support/test.ts'
import { walletQuestion } from '../support/wallet.ts'

let newcomer: OutsideHolder
test.beforeAll(async ({ product }) => {
  newcomer = await product.holder()
})

test('before a join its rewards and costs are shown next to the amount, and one with more decimal places than the token has is refused', async ({
  visit,
}) => {
  const { page } = await visit({ as: newcomer, path: '/dashboard?tab=join' })
  const { panel, plan, amount } = joinForm(page)
  await plan.selectOption('PLAN-360')
  for (const usual of ['10', '25', '50']) {
    await panel.getByRole('button', { name: `Enter ${usual} DCT`, exact: true }).click()
    await expect(amount).toHaveValue(usual)
  }
  await panel.getByText('Costs and risks in detail', { exact: true }).click()
  await expect(fact(panel, 'Reward per cycle (day)')).toHaveText('0.100000 DCT')
  await expect(fact(panel, 'Reward (360 cycles)')).toHaveText('36.000000 DCT')
  await expect(fact(panel, 'Fees, at most')).toHaveText('15.720000 USDT')
  await expect(fact(panel, 'Claims until the end, at least')).toHaveText('12')
  await expect(fact(panel, 'Kept, at today’s price')).toContainText('20.280000 USDT')
  await expect(fact(panel, 'You keep, at today’s price')).toHaveText('20.280000 DCT')
  await expect(fact(panel, 'Locked until').locator('time')).toBeVisible()

  const methods = panel.getByRole('table', { name: /^One claim of 3\.000000 DCT/ })
  const cells = async (name: string) =>
    methods.getByRole('row', { name }).getByRole('cell').allInnerTexts()
  expect(await cells('Sent immediately')).toEqual(['0.000000 DCT', '1.500000 DCT'])
  expect(await cells('Sent after the fee is paid')).toEqual(['3.000000 DCT', '1.500000 DCT'])
  expect(await cells('Maximum fee')).toEqual(['1.310000 USDT', '1.310000 USDT'])

  await expect(panel).toContainText('After 30 cycles without a claim the earning freezes.')
  await expect(panel).toContainText(
    'If you never claimed, 3.300000 DCT would be credited and 32.700000 DCT would be lost.',
  )
  const risks = panel.getByText(/Smart contracts can contain errors/)
  await expect(risks).toBeVisible()

  await amount.fill('10.1234567')
  await joinForm(page).join.click()
  await expect(toast(page, 'Enter at most 6 decimal places.')).toBeVisible()
  await expect(joinReview(page).dialog).toHaveCount(0)
})

test('on a phone, the amount, the key figures and the button fit one screen, and details can be unfolded and fit, too', async ({
  visit,
}) => {
  const viewport = { width: 360, height: 740 }
  const { page } = await visit({
    as: newcomer,
    path: '/dashboard?tab=join',
    context: { viewport },
  })
  const { panel, plan, amount, join } = joinForm(page)
  await plan.selectOption('PLAN-360')
  await amount.fill('50')
  const returned = fact(panel, 'Locked until').locator('time')
  await expect(returned).toBeVisible()
  await plan.evaluate((element) => {
    const bar = document.querySelector('header')?.getBoundingClientRect().height ?? 0
    const top = element.closest('.field')?.getBoundingClientRect().top ?? 0
    window.scrollBy(0, top - bar)
  })
  for (const part of [plan, amount, returned, join]) {
    await expect(part).toBeInViewport({ ratio: 1 })
  }
  const fees = fact(panel, 'Claims until the end, at least')
  await expect(fees).toBeHidden()
  await panel.getByText('Costs and risks in detail', { exact: true }).click()
  await expect(fees).toBeVisible()

  await plan.selectOption('PLAN-720')
  await amount.fill('49.999999')
  await expect(panel.getByRole('table', { name: /^One claim of/ })).toBeVisible()
  expect(await sidewaysOverflow(page)).toBeLessThanOrEqual(0)
})

const REVIEWS = [
  {
    language: 'en',
    plan: 'Earning plan',
    amount: 'Token amount (DCT)',
    join: 'Join',
    title: 'Review: join PLAN-360',
    facts: ['50.000000 DCT', '360 days', '36.000000 DCT', '15.720000 USDT'],
    final: /^Nobody, including us, can release your tokens before \d+ \S+ \d{4}\./,
    back: 'Back',
    confirm: 'Lock 50 DCT',
  },
  {
    language: 'id',
    plan: 'Paket earning',
    amount: 'Jumlah token (DCT)',
    join: 'Ikuti',
    title: 'Tinjau: ikuti PLAN-360',
    facts: ['50,000000 DCT', '360 hari', '36,000000 DCT', '15,720000 USDT'],
    final: /^Tidak seorang pun, termasuk kami, dapat melepas token Anda sebelum \d+ \S+ \d{4}\./,
    back: 'Kembali',
    confirm: 'Kunci 50 DCT',
  },
] as const

for (const words of REVIEWS) {
  test(`before the wallet opens, a review states the days, the return date and what can't be undone (${words.language})`, async ({
    visit,
  }) => {
    const { page, calls } = await visit({
      as: newcomer,
      wallet: 'asking',
      path: '/dashboard?tab=join',
      storage: { language: words.language },
    })
    await page.getByRole('combobox', { name: words.plan }).selectOption('PLAN-360')
    await page.getByRole('textbox', { name: words.amount }).fill('50')
    await page.getByRole('button', { name: words.join, exact: true }).click()
    const review = page.getByRole('dialog', { name: words.title, exact: true })
    for (const shown of words.facts) await expect(review).toContainText(shown)
    await expect(review.getByText(words.final)).toBeVisible()
    await expect(review.locator('time')).toHaveAttribute('datetime', /^\d{4}-\d{2}-\d{2}/)
    await expect(review.getByRole('button', { name: words.confirm, exact: true })).toBeVisible()

    await review.getByRole('button', { name: words.back, exact: true }).click()
    await expect(review).toHaveCount(0)
    await expect(overlay(page)).toHaveCount(0)
    await expect(walletQuestion(page, 'Sign this transaction')).toHaveCount(0)
    expect(sentToContracts(calls)).toEqual([])
    expect(calls.filter(({ path }) => path.endsWith('/reserve'))).toEqual([])
    const read = readFromContracts(calls).map(({ selector }) => selector)
    expect(read).not.toContain('allowance(address,address)')
  })
}

type Earnings = { earnings: EarningAnswer[] }

/** Overrides facts of all earnings in the service's response. */
const showEarnings = (page: Page, facts: Partial<EarningAnswer>) =>
  alter<Partial<Earnings>>(page, '/api/user/earnings', ({ earnings, ...rest }) =>
    earnings ? { ...rest, earnings: earnings.map((one) => ({ ...one, ...facts })) } : rest,
  )
/** Makes the join appear unconfirmed until `release` is called. */
const keepWaiting = (page: Page) =>
  showEarnings(page, { is_hash_confirmed: 'WAITING', waited_seconds: 30 })
const release = (page: Page) => page.unrouteAll({ behavior: 'wait' })

const notice = (page: Page) =>
  page.getByRole('status').filter({
    hasText:
      'Your request to join PLAN-360 with 20.000000 DCT was sent and is still being checked.',
  })

test('another device shows the overlay of a join in progress once, and follows the join to its end', async ({
  visit,
  product,
}) => {
  const holder = await product.holder()
  const phone = await visit({
    as: holder,
    path: '/dashboard?tab=join',
    before: keepWaiting,
  })
  await fillJoin(phone.page, { plan: 'PLAN-360', amount: '20' })
  await pressJoin(phone.page)
  await expect(toast(phone.page, 'You joined PLAN-360: 20 DCT are locked.')).toBeVisible()
  // On the device that sent the join, its overlay has already ended.
  await expect(notice(phone.page)).toBeVisible()
  await expect(overlay(phone.page)).toHaveCount(0)

  const desk = await visit({
    as: holder,
    wallet: 'absent',
    path: '/dashboard',
    before: keepWaiting,
  })
  const [lock] = sentToContracts(phone.calls).slice(-1)
  expect(lock?.name).toBe('joinStake')
  const hash = callsOf(phone.calls, 'POST', '/api/user/earnings')[0]?.body.trx_hash
  const cover = overlay(desk.page)
  const steps = cover.getByRole('list', { name: 'Steps' }).getByRole('listitem')
  await expect(steps).toContainText(['done', 'done', 'done', 'in progress'])
  await expect(cover.getByRole('log')).toContainText(`Sent from another device or window: ${hash}`)
  await expect(cover.getByRole('link')).toHaveAttribute('href', new RegExp(`${hash}$`))
  const left = Number(/\d+/.exec(await textOf(cover.getByRole('timer')))?.[0])
  expect(left).toBeLessThanOrEqual(150)
  expect(left).toBeGreaterThan(60)

  await desk.page.reload()
  await cover.getByRole('button', { name: 'Close' }).click()
  await expect(cover).toHaveCount(0)
  await expect(notice(desk.page)).toBeVisible()
  await expect(notice(desk.page).getByRole('link')).toHaveAttribute('href', new RegExp(`${hash}$`))
  await desk.page.reload()
  await expect(notice(desk.page)).toBeVisible()
  await expect(cover).toHaveCount(0)

  const tablet = await visit({
    as: holder,
    wallet: 'absent',
    path: '/dashboard',
    before: keepWaiting,
  })
  await expect(overlay(tablet.page)).toBeVisible()
  await product.settle()
  for (const { page } of [tablet, desk, phone]) await release(page)
  // The join may have been booked before the pages were opened; they refetch when something else changes.
  await holder.login()
  await expect(toast(tablet.page, 'You joined PLAN-360: 20.000000 DCT are locked.')).toBeVisible()
  for (const { page, calls } of [tablet, desk, phone]) {
    await expect(overlay(page)).toHaveCount(0)
    await expect(notice(page)).toHaveCount(0)
    await expect(page.getByRole('article', { name: 'PLAN-360' }).first()).toContainText('Active')
    const recorded = callsOf(calls, 'POST', '/api/user/earnings').length
    expect(recorded).toBe(page === phone.page ? 1 : 0)
  }
})

test('once its 180 seconds are over, a join from another device is shown without an overlay', async ({
  visit,
  product,
}) => {
  const holder = await product.holder()
  const unknown = { plan_code: 'PLAN-360', amount: '20', trx_hash: 'ab'.repeat(32) }
  await holder.call('POST', '/api/user/earnings', unknown)
  const { page } = await visit({
    as: holder,
    wallet: 'absent',
    path: '/dashboard',
    before: (fresh) => showEarnings(fresh, { waited_seconds: 181 }),
  })
  await expect(
    page.getByText('was sent more than 180 seconds ago and is still being checked.'),
  ).toBeVisible()
  await expect(overlay(page)).toHaveCount(0)
})

test('a second tab follows a join in progress; the tab that sent it shows the overlay once', async ({
  visit,
  product,
}) => {
  const holder = await product.holder()
  const hideLocks = (page: Page) =>
    page.route('**/tron/wallet/gettransactioninfobyid', (route) => route.fulfill({ json: {} }))
  await holder.approve(product.info.tron.staking, '20')
  const { page, calls } = await visit({
    as: holder,
    path: '/dashboard?tab=join',
    before: hideLocks,
  })
  await fillJoin(page, { plan: 'PLAN-360', amount: '20' })
  await pressJoin(page)
  await expect.poll(() => sentToContracts(calls).length).toBe(1)
  const readEarnings = () => holder.call<Earnings>('GET', '/api/user/earnings')
  await expect.poll(async () => (await readEarnings()).earnings.length).toBe(1)

  const second = await page.context().newPage()
  await hideLocks(second)
  await keepWaiting(second)
  await second.goto('/dashboard')
  await expect(overlay(second)).toBeVisible()
  await expect(overlay(page)).toHaveCount(1)

  await release(page)
  await expect(toast(page, 'You joined PLAN-360: 20 DCT are locked.')).toBeVisible()
  await release(second)
  for (const tab of [page, second]) {
    await expect(tab.getByRole('article', { name: 'PLAN-360' }).first()).toBeVisible()
    await expect(overlay(tab)).toHaveCount(0)
  }
  await product.settle()
  expect((await readEarnings()).earnings).toMatchObject([{ is_hash_confirmed: 'SUCCESS' }])
})

test('before a join that leaves little time to claim, the page states the number of days and how to get more', async ({
  visit,
}) => {
  const { page } = await visit({
    as: newcomer,
    path: '/dashboard?tab=join',
    context: { viewport: { width: 360, height: 740 } },
  })
  const { panel, plan, amount } = joinForm(page)
  await plan.selectOption('PLAN-360')
  await amount.fill('10')
  const warning = panel.locator('.notice')
  await expect(warning).toContainText('Claim within the 4 days from then on')
  await amount.fill('12,5')
  await expect(fact(panel, 'Locked until').locator('time')).toBeVisible()
  await expect(warning).toContainText('6 days before the earning freezes')
  await amount.fill('9,5')
  await panel.getByRole('button', { name: 'Join', exact: true }).click()
  const mistake = panel.getByText('The amount entered must be between 10 and 50 DCT!')
  await expect(mistake).toBeVisible()
  await expect(amount).toHaveAttribute('aria-invalid', 'true')
  await amount.fill('9'.repeat(200))
  await expect(mistake).toHaveCount(0)
  expect(await sidewaysOverflow(page)).toBeLessThanOrEqual(0)
})
