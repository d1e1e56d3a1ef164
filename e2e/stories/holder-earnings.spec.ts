import { readFile } from 'node:fs/promises'
import type { OutsideHolder } from '../outside/outside-client.ts'
import type { EarningAnswer } from '../outside/published-shapes.ts'
import { claimed, joined, PLAN_360, paid } from '../support/scenes.ts'
import { earningCard, fact, sidewaysOverflow } from '../support/screens.ts'
import { expect, test } from '../support/test.ts'

const PLAN = 'PLAN-720'

/** Has eight cycles and a paid claim of the first six. */
let holder: OutsideHolder
test.beforeAll(async ({ product }) => {
  holder = await product.holder()
  await joined(product, holder)
  await product.advance(6)
  await paid(product, holder, await claimed(product, holder, { type: 'HALF' }))
  await product.advance(2)
})

const earningOf = async () => {
  const { earnings } = await holder.call<{ earnings: (EarningAnswer & { freezes_on: string })[] }>(
    'GET',
    '/api/user/earnings',
  )
  const [earning] = earnings
  if (!earning) throw new Error('The holder has no earning')
  return earning
}

test('the card shows the next deadline as a date and as the time left, and the deadlines can be saved for a calendar, in business time, with constant ids', async ({
  visit,
}) => {
  const { page } = await visit({ as: holder, wallet: 'absent', path: '/dashboard' })
  const { freezes_on } = await earningOf()
  const deadline = fact(earningCard(page, PLAN), 'Last day to claim')
  const lastDay = new Date(Date.parse(`${freezes_on}T00:00:00Z`) - 86_400_000)
  await expect(deadline.locator('time')).toHaveAttribute(
    'datetime',
    lastDay.toISOString().slice(0, 10),
  )
  await expect(earningCard(page, PLAN)).toContainText(/in \d+ days/)

  const save = earningCard(page, PLAN).getByRole('button', {
    name: 'Deadlines to a calendar',
  })
  const files: string[] = []
  for (const _ of [1, 2]) {
    const [download] = await Promise.all([page.waitForEvent('download'), save.click()])
    expect(download.suggestedFilename()).toBe('PLAN-720-deadlines.ics')
    files.push(await readFile(await download.path(), 'utf8'))
  }
  const idsOf = (file = '') => file.match(/^UID:.*$/gm)
  expect(idsOf(files[0])?.length).toBeGreaterThanOrEqual(4)
  expect(idsOf(files[1])).toEqual(idsOf(files[0]))
  const end = `${freezes_on.replaceAll('-', '')}T000000`
  expect(files[0]).toContain(`DTEND;TZID=Asia/Jakarta:${end}\r\n`)
  expect(files[0]).toContain('SUMMARY:Last day to claim: PLAN-720\r\n')
})

test('an earning that freezes before a claim is possible shows when claims start and end, and no other deadline', async ({
  visit,
  product,
}) => {
  const small = await product.holder()
  await joined(product, small, { plan: PLAN_360, amount: '10' })
  const { page } = await visit({ as: small, wallet: 'absent', path: '/dashboard' })
  const card = earningCard(page, 'PLAN-360')
  for (const term of ['Claim possible from', 'Last day before rewards are lost']) {
    await expect(fact(card, term).locator('time')).toBeVisible()
  }
  await expect(card.getByText('Last day to claim', { exact: true })).toHaveCount(0)
})

test('every reward and every claim shows its calculation, and the progress of an earning is shown as a chart and as text', async ({
  visit,
}) => {
  const { page } = await visit({ as: holder, wallet: 'absent', path: '/dashboard' })
  await page.getByRole('button', { name: 'Reward Distribution History' }).click()
  const rewards = page.getByRole('dialog')
  const newest = rewards.locator('tbody tr').first()
  await newest.getByText('Why this amount?').click()
  await expect(newest).toContainText(
    'At 216.00%, 50.000000 DCT earn 108.000000 DCT in 720 cycles. The reward of cycle 8 is 108.000000 × 8 / 720 minus 108.000000 × 7 / 720',
  )
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Reward Claim History' }).click()
  const claim = page.getByRole('dialog').locator('tbody tr').first()
  await claim.getByText('Why this amount?').click()
  await expect(claim).toContainText(
    'cycles 1 to 6 and not yet claimed. The fee is 40.00% of it, 0.360000 DCT',
  )
  await page.keyboard.press('Escape')

  const card = earningCard(page, PLAN)
  await expect(card.getByRole('img', { name: /credited/ })).toHaveCount(0)
  await card.getByText('Progress over time').click()
  const picture = card.getByRole('img', {
    name: /^PLAN-720: 1\.200000 of 108\.000000 DCT credited, 0\.900000 DCT claimed/,
  })
  await expect(picture).toBeVisible()
  for (const kind of ['credited', 'claimed', 'coming', 'deadline']) {
    await expect(picture.locator(`.progress-chart__${kind}`)).toHaveAttribute('d', /^M.+[LV].+/)
  }
  const words = card.getByRole('list', { name: 'Text description' })
  await expect(words).toContainText('HALF claim of cycles 1 to 6, 0.900000 DCT. Paid.')
  await expect(words).toContainText('DCT credited')
  await card.getByRole('button', { name: 'Show the whole plan' }).click()
  await expect(card.getByRole('button', { name: 'Show the period until today' })).toBeVisible()
  await page.setViewportSize({ width: 360, height: 740 })
  await expect.poll(() => sidewaysOverflow(page)).toBeLessThanOrEqual(0)
})

test('an earning warns at 20, 25, 28 and 29 of 30 cycles, with growing urgency, and then is frozen', async ({
  visit,
  product,
}) => {
  const careless = await product.holder()
  await joined(product, careless)
  const { page } = await visit({ as: careless, wallet: 'absent', path: '/dashboard' })
  const callout = earningCard(page, PLAN).locator('.callout')
  const stages = [
    [19, undefined],
    [20, 'warn'],
    [25, 'warn'],
    [28, 'bad'],
    [29, 'bad'],
  ] as const
  let passed = 0
  for (const [count, tone] of stages) {
    await product.advance(count - passed)
    passed = count
    await page.reload()
    await expect(fact(earningCard(page, PLAN), 'Claim count')).toHaveText(`${count} / 30`)
    if (tone === undefined) {
      await expect(callout).toHaveCount(0)
      continue
    }
    await expect(callout).toContainText(`${count} of 30 cycles without a claim.`)
    await expect(callout).toContainText('or this earning freezes')
    await expect(callout).toHaveAttribute('data-tone', tone)
  }
  await product.advance(1)
  await page.reload()
  await expect(callout).toContainText('Frozen because 30 cycles passed without a claim.')
  await expect(callout).toHaveAttribute('data-tone', 'bad')
  const lastChance = fact(earningCard(page, PLAN), 'Last day before rewards are lost')
  await expect(lastChance.locator('time')).toBeVisible()
  // Once rewards are being lost, no last day before that is left.
  await product.advance(4)
  await page.reload()
  await expect(callout).toContainText(/Rewards have been lost since .+ A claim stops this\./)
  await expect(lastChance).toHaveCount(0)
})
