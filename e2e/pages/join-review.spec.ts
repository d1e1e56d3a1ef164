import { readFromContracts, sentToContracts } from '../support/chain-calls.ts'
import {
  fact,
  fillJoin,
  joinForm,
  joinReview,
  overlay,
  sidewaysOverflow,
  tab,
  toast,
} from '../support/screens.ts'
import { offerPlans } from './support/joining.ts'
import { expect, test } from './support/test.ts'

const JOIN = { as: 'user', wallet: 'connected', path: '/dashboard?tab=join' } as const
const PHONE = { width: 360, height: 740 }

test('before a join its rewards and costs are shown next to the amount, and one with more decimal places than the token has is refused', async ({
  visit,
  world,
}) => {
  offerPlans(world)
  const { page } = await visit(JOIN)
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
  await expect(panel.getByText(/Smart contracts can contain errors/)).toBeVisible()

  await amount.fill('10.1234567')
  await joinForm(page).join.click()
  await expect(toast(page, 'Enter at most 6 decimal places.')).toBeVisible()
  await expect(joinReview(page).dialog).toHaveCount(0)
})

test('on a phone, the amount, the key figures and the button fit one screen, and details can be unfolded and fit, too', async ({
  visit,
  world,
}) => {
  offerPlans(world)
  const { page } = await visit({ ...JOIN, viewport: PHONE })
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

test('before a join that leaves little time to claim, the page states the number of days and how to get more', async ({
  visit,
  world,
}) => {
  offerPlans(world)
  const { page } = await visit({ ...JOIN, viewport: PHONE })
  const { panel, plan, amount } = joinForm(page)
  await plan.selectOption('PLAN-360')
  await amount.fill('10')
  const warning = panel.locator('.callout')
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
    world,
  }) => {
    offerPlans(world)
    const { page, calls, wallet } = await visit({ ...JOIN, storage: { language: words.language } })
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
    expect(wallet.asked).toEqual([])
    expect(sentToContracts(calls)).toEqual([])
    expect(calls.filter(({ path }) => path.endsWith('/reserve'))).toEqual([])
    const read = readFromContracts(calls).map(({ selector }) => selector)
    expect(read).not.toContain('allowance(address,address)')
  })
}

test('an extension that wraps or replaces elements of the page costs nobody the page, nor what was typed', async ({
  visit,
  world,
}) => {
  offerPlans(world)
  const { page } = await visit({ ...JOIN, path: '/dashboard' })
  await tab(page, 'Join Earning Plan').click()
  await fillJoin(page, { plan: 'PLAN-720', amount: '10' })
  await page.evaluate(() => {
    for (const element of document.querySelectorAll('main section, main p, main form, main dl')) {
      const wrapper = document.createElement('ext-wrapper')
      element.replaceWith(wrapper)
      wrapper.append(element)
    }
  })
  await fillJoin(page, { plan: 'PLAN-360', amount: '12' })
  await tab(page, 'My Earnings').click()
  await expect(page.getByRole('tab', { name: 'My Earnings', selected: true })).toBeVisible()
  await tab(page, 'Join Earning Plan').click()
  await fillJoin(page, { plan: 'PLAN-720', amount: '15' })

  await page.evaluate(() => {
    // As converters of currencies rewrite a page: every element becomes another one, which looks the same.
    const main = document.querySelector('main')
    main?.replaceWith(main.cloneNode(true))
  })
  await expect(joinForm(page).amount).toHaveValue('15')
  await page.evaluate(() => {
    document.body.replaceChildren(...document.body.cloneNode(true).childNodes)
  })
  await expect(joinForm(page).amount).toHaveValue('15')
  await tab(page, 'My Earnings').click()
  await expect(page.getByRole('tab', { name: 'My Earnings', selected: true })).toBeVisible()
})

test('an extension that rewrites an open dialog leaves no copy of it that holds the page', async ({
  visit,
  world,
}) => {
  offerPlans(world)
  const { page } = await visit(JOIN)
  const form = joinForm(page)
  for (const rewritten of ['.dialog-scrim', '.dialog__body', 'body']) {
    await fillJoin(page, { plan: 'PLAN-360', amount: '12' })
    await form.join.click()
    await expect(joinReview(page).confirm).toBeVisible()
    await page.locator(rewritten).evaluate((element) => {
      element.replaceChildren(...element.cloneNode(true).childNodes)
      if (element !== document.body) element.replaceWith(element.cloneNode(true))
    })
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await expect(form.amount).toHaveValue('12')
  }
})
