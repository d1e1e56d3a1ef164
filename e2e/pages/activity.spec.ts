import type { HistoryItem, HistoryReply } from '@dct/api-contract/history'
import type { Page } from '@playwright/test'
import { callsOf, queryOf } from '../support/calls.ts'
import { FAILED_CALLS } from '../support/provoke.ts'
import { untilLoaded } from '../support/screens.ts'
import { expect, test } from './support/test.ts'
import { recordedReply, type World } from './support/world.ts'

const HISTORY = 'GET /api/user/history'
const PAGE = 20

const { items: recorded } = recordedReply<HistoryReply>(HISTORY)
const of = (kind: HistoryItem['kind']) => recorded.find((item) => item.kind === kind) as HistoryItem
const feePaid = of('fee_paid')
const rewards: HistoryItem[] = Array.from({ length: 24 }, (_, index) => ({
  ...of('reward'),
  at: `2026-03-${`${28 - index}`.padStart(2, '0')}T17:00:00.000Z`,
  id: `${1_796_835_600_000 - index}-5-2`,
}))
const registered: HistoryItem = {
  ...{ ...of('claim_made'), kind: 'registered', asset: null, amount: null, code_claim: null },
  ...{ claim_type: null, earning_plan_code: null, at: '2026-03-01T03:04:05.000Z', id: '1-1-1' },
}
const all = [feePaid, ...rewards, registered]

/** Frames the history as the service does; its filters are tested there. */
function answerHistory(world: World, items: readonly HistoryItem[] = all): void {
  world.answer(HISTORY, ({ query }) => {
    const { after, kind, end_date, rewards: detail } = query
    const months = items.filter((item) => item.kind !== 'reward' || item === rewards[0])
    const found =
      end_date === '2020-01-01'
        ? []
        : kind === 'payments'
          ? [feePaid]
          : detail === 'daily'
            ? items
            : months
    const ordered = query.sort_order === 'asc' ? found.toReversed() : found
    const from = after === undefined ? 0 : ordered.findIndex(({ id }) => id === after) + 1
    const shown = ordered.slice(from, from + PAGE)
    const isLast = from + PAGE >= ordered.length
    return { items: shown, next: isLast ? null : (shown.at(-1)?.id ?? null) }
  })
}

const history = (page: Page) => page.getByRole('region', { name: 'Your history' })
const items = (page: Page) => history(page).getByRole('listitem')
const registration = (page: Page) => items(page).filter({ hasText: 'You registered' })

test('the activity page lists what happened, and the URL contains its filters and page', async ({
  visit,
  world,
}) => {
  answerHistory(world)
  const { page, calls } = await visit({ as: 'user', path: '/dashboard' })
  await page.getByRole('link', { name: 'Activity' }).click()
  await expect(registration(page)).toBeVisible()
  const fee = items(page).filter({ hasText: 'Fee paid' })
  await expect(fee).toContainText(/sent −\d/)
  await expect(fee.getByRole('link')).toHaveAttribute('href', new RegExp(`${feePaid.tx_hash}`))

  const filter = (name: string) => history(page).getByRole('combobox', { name, exact: true })
  await filter('Rewards').selectOption('Day by day')
  await expect(items(page)).toHaveCount(PAGE)
  await expect(page).toHaveURL(/\?rewards=daily$/)
  const newest = await items(page).first().innerText()
  await history(page).getByRole('button', { name: 'Next' }).click()
  await expect(registration(page)).toBeVisible()
  await page.reload()
  await expect(registration(page)).toBeVisible()
  await history(page).getByRole('button', { name: 'Prev' }).click()
  await expect.poll(() => items(page).first().innerText()).toBe(newest)

  await filter('Show').selectOption('Payments to and from me')
  await expect(items(page)).toHaveCount(1)
  await expect(page).toHaveURL(/\?rewards=daily&kind=payments$/)
  await history(page).getByLabel('End Date').fill('2020-01-01')
  await expect(history(page)).toContainText('Nothing happened that fits these filters.')
  expect(queryOf(callsOf(calls, 'GET', '/api/user/history').at(-1))).toMatchObject({
    ...{ kind: 'payments', rewards: 'daily', end_date: '2020-01-01' },
  })
  await history(page).getByRole('button', { name: 'Reset filters' }).click()
  await expect(items(page)).toHaveCount(PAGE)
})

test('a history that cannot be loaded shows a message, and a retry loads it', async ({
  visit,
  world,
}) => {
  world.breakDown(HISTORY)
  const { page } = await visit({ as: 'user', path: '/activity', tolerates: FAILED_CALLS })
  await expect(history(page).getByText('Your history could not be loaded.')).toBeVisible()
  world.mend(HISTORY)
  answerHistory(world)
  await history(page).getByRole('button', { name: 'Try again' }).click()
  await expect(registration(page)).toBeVisible()
})

test('the files of a history are asked for with its filters', async ({ visit, world }) => {
  const { items } = recordedReply<HistoryReply>(HISTORY)
  world.answer(HISTORY, ({ query }) =>
    query.format === undefined
      ? { items, next: null }
      : { file: { name: `history-${String(query.format)}.csv`, text: 'a,b\r\n' } },
  )
  const { page } = await visit({ as: 'user', path: '/activity?kind=claims' })
  for (const [button, format] of [
    ['CSV', 'csv'],
    ['Koinly', 'koinly'],
  ] as const) {
    const saved = page.waitForEvent('download')
    await history(page).getByRole('button', { name: button, exact: true }).click()
    expect((await saved).suggestedFilename()).toBe(`history-${format}.csv`)
    const { query } = world.asked.find((asked) => asked.query.format === format) ?? {}
    expect(query).toMatchObject({ kind: 'claims' })
  }
})

test('on a device in another zone, the day that a list shows can be typed as its filter, and adds no entry to the history of the browser', async ({
  visit,
  world,
}) => {
  answerHistory(world)
  const { page } = await visit({
    ...{ as: 'user', path: '/activity', context: { timezoneId: 'America/St_Johns' } },
  })
  const instants = page.getByRole('main').locator('time[datetime*="T"]')
  const at = new Date((await instants.first().getAttribute('datetime')) ?? '')
  const [year = '', month = '', day = ''] = businessDay(at).split('-')
  await expect(instants.first()).toContainText(new RegExp(`^${Number(day)} .* ${year}`))
  const rows = await instants.count()
  const entries = await page.evaluate(() => window.history.length)
  for (const name of ['Start Date', 'End Date']) {
    await page.getByLabel(name).focus()
    for (const digit of month + day + year) await page.keyboard.press(digit)
    await expect(page.getByLabel(name)).toHaveValue(`${year}-${month}-${day}`)
  }
  await expect(page).toHaveURL(`/activity?from=${year}-${month}-${day}&to=${year}-${month}-${day}`)
  await untilLoaded(page)
  await expect(instants).toHaveCount(rows)
  expect(await page.evaluate(() => window.history.length)).toBe(entries)
})

/** The calendar day of an instant in UTC+7. */
function businessDay(instant: Date): string {
  return new Date(instant.getTime() + 7 * 3_600_000).toISOString().slice(0, 10)
}
