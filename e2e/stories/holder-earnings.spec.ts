import { readFile } from 'node:fs/promises'
import type { OutsideHolder } from '../outside/outside-client.ts'
import type { EarningAnswer } from '../outside/published-shapes.ts'
import { claimed, joined, paid } from '../support/scenes.ts'
import { earningCard, fact } from '../support/screens.ts'
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

test('an earning warns as its 30 cycles come to an end, then is frozen, and then loses rewards', async ({
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
