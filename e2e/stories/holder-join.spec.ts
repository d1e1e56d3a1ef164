import type { Page } from '@playwright/test'
import type { EarningAnswer } from '../outside/published-shapes.ts'
import { callsOf } from '../support/calls.ts'
import { sentToContracts } from '../support/chain-calls.ts'
import { alter } from '../support/provoke.ts'
import { fillJoin, overlay, pressJoin, textOf, toast } from '../support/screens.ts'
import { expect, test } from '../support/test.ts'

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

const callout = (page: Page) =>
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
  await expect(callout(phone.page)).toBeVisible()
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
  await expect(callout(desk.page)).toBeVisible()
  await expect(callout(desk.page).getByRole('link')).toHaveAttribute('href', new RegExp(`${hash}$`))
  await desk.page.reload()
  await expect(callout(desk.page)).toBeVisible()
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
    await expect(callout(page)).toHaveCount(0)
    await expect(page.getByRole('article', { name: 'PLAN-360' }).first()).toContainText('Active')
    const recorded = callsOf(calls, 'POST', '/api/user/earnings').length
    expect(recorded).toBe(page === phone.page ? 1 : 0)
  }
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
