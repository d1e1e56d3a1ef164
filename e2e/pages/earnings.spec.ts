import type { ClaimedRewardsReply } from '@dct/api-contract/claims'
import type { UserEarning } from '@dct/api-contract/earnings'
import type { Page } from '@playwright/test'
import { callsOf, queryOf } from '../support/calls.ts'
import { FAILED_CALLS } from '../support/provoke.ts'
import { earningCard, fact, toast } from '../support/screens.ts'
import { expect, test } from './support/test.ts'
import { listOf, recordedReply, type World } from './support/world.ts'

const EARNINGS = 'GET /api/user/earnings'
const EARLY = 'GET /api/user/get-claimed-rewards'
const RELEASE = 'POST /api/user/request-claim'

const [recorded] = recordedReply<{ earnings: [UserEarning] }>(EARNINGS).earnings
const { claimed_rewards } = recordedReply<ClaimedRewardsReply>(EARLY)
const [earlyHalf] = claimed_rewards
/** Of the PLAN-720, with a claim that has just emptied it. */
const running: UserEarning = {
  ...recorded,
  ...{ earning_plan_code: 'PLAN-720', total_unclaimed: '0.000000', reward_distribution_count: 0 },
  ...{ is_frozen: false, freeze_reason: null, start_date: '2026-03-01T03:04:05.000Z' },
}
const younger: UserEarning = {
  ...running,
  ...{ id: '77', earning_plan_code: 'PLAN-360', start_date: '2026-03-02T03:04:05.000Z' },
  ...{ total_locked_amount: '30.000000', total_reward: '21.600000', daily_reward: '0.060000' },
  ...{ total_shared_reward: '0.240000', total_unclaimed: '0.240000', reward_distribution_count: 4 },
}
const ended: UserEarning = {
  ...running,
  end_date: '2020-01-01T00:00:00.000Z',
  capital_state: 'due',
}
/** Locks that no node knows: one submitted just now, one long ago. */
const waiting: UserEarning = {
  ...{ ...running, id: '88', trx_hash: 'e'.repeat(64), total_locked_amount: '10.000000' },
  ...{ is_hash_confirmed: 'WAITING', waited_seconds: 5, claimable_from: null },
}
const failed: UserEarning = {
  ...waiting,
  ...{ is_hash_confirmed: 'FAILED', waited_seconds: null, failure_reason: 'Never found.' },
}

/** Storage of a browser that has already shown the overlay of the submitted join. */
const SHOWN = { shownJoins: JSON.stringify(['e'.repeat(64)]) }

function earn(world: World, ...earnings: UserEarning[]): void {
  world.answer(EARNINGS, (asked) => listOf('earnings', earnings, asked))
  world.answer('GET /api/user/pending-claim-fees', (asked) => listOf('pending_fees', [], asked))
}

const status = (page: Page, planCode: string) =>
  earningCard(page, planCode).locator('header .badge')
const historyButtons = (page: Page, planCode: string) =>
  earningCard(page, planCode).getByRole('button', { name: /History$/ })

test('[EARN-01, EARN-02, EARN-03, EARN-04, EARN-05, EARN-06, EARN-07, EARN-08, EARN-10, EARN-16, EARN-17, EARN-18, EARN-19, FMT-01, FMT-02, FMT-03] every earning with its figures, the newest first, its histories and a block for the early half of a HALF claim, but no capital to claim', async ({
  visit,
  world,
}) => {
  earn(world, running, younger)
  const { page, calls } = await visit({ as: 'user', path: '/dashboard' })
  const cards = page.getByRole('tabpanel', { name: 'My Earnings' }).getByRole('article')
  await expect(cards.getByRole('heading', { level: 3 })).toHaveText(['PLAN-360', 'PLAN-720'])

  for (const answer of [younger, running]) {
    const code = answer.earning_plan_code
    const card = earningCard(page, code)
    await expect(status(page, code)).toHaveText('Active')
    await expect(fact(card, 'Running amount')).toHaveText(`${answer.total_locked_amount} DCT`)
    await expect(fact(card, 'Ongoing reward')).toHaveText(`${answer.total_shared_reward} DCT`)
    await expect(fact(card, 'Claimable reward')).toHaveText(`${answer.total_unclaimed} DCT`)
    await expect(fact(card, 'Claim count')).toHaveText(`${answer.reward_distribution_count} / 30`)
    const share = Number(answer.total_shared_reward) / Number(answer.total_reward)
    const bar = card.getByRole('progressbar', { name: 'Reward progress' })
    expect(await bar.evaluate((one: HTMLProgressElement) => one.position)).toBeCloseTo(share, 3)
    const percentage = (Math.floor(share * 10_000) / 100).toFixed(2)
    await expect(card.getByText(`(${percentage}%)`)).toBeVisible()
  }
  await expect(fact(earningCard(page, 'PLAN-360'), 'Claim count')).toHaveText('4 / 30')
  await expect(fact(earningCard(page, 'PLAN-360'), 'Claimable reward')).toHaveText('0.240000 DCT')
  await expect(fact(earningCard(page, 'PLAN-720'), 'Claim count')).toHaveText('0 / 30')
  await expect(fact(earningCard(page, 'PLAN-720'), 'Claimable reward')).toHaveText('0.000000 DCT')

  const [list] = callsOf(calls, 'GET', '/api/user/earnings')
  expect(queryOf(list)).toMatchObject({
    page: '1',
    limit: '10',
    sort_by: 'start_date',
    sort_order: 'desc',
  })

  await expect(historyButtons(page, 'PLAN-720')).toHaveText([
    'Reward Distribution History',
    'Reward Claim History',
  ])
  await expect(page.getByRole('button', { name: 'Claim Capital' })).toHaveCount(0)
  const early = earningCard(page, 'PLAN-720').locator('.early-claims')
  await expect(early).toContainText('Claimed early (HALF)')
  await expect(early).toContainText(`${earlyHalf?.claimed_amount} DCT`)
  await expect(early.getByRole('link')).toHaveAttribute('href', /\/transaction\/[0-9a-f]{64}$/)
  await expect(earningCard(page, 'PLAN-360')).not.toContainText('Claimed early')
})

test('[STATE-05, STATE-03, STATE-04, STATE-06, STATE-13, EARN-17] the display of running, frozen and ended earnings; a FULL claim has no early half', async ({
  visit,
  world,
}) => {
  world.answer(EARLY, { claimed_rewards: [] })
  const frozen = { is_frozen: true, freeze_reason: 'open_fee' } as const
  for (const [earning, text] of [
    [running, 'Active'],
    [{ ...running, ...frozen }, 'Freeze'],
    [ended, 'Deactive'],
    [{ ...ended, ...frozen }, 'Freeze'],
  ] as const) {
    earn(world, earning)
    const { page } = await visit({ as: 'user', path: '/dashboard' })
    await expect(status(page, 'PLAN-720')).toHaveText(text)
    await expect(earningCard(page, 'PLAN-720')).not.toContainText('Claimed early')
  }
})

test('[STATE-01, STATE-02, EARN-15, EARN-16, EARN-10] an unconfirmed earning shows no rewards, no history, no capital, not even after its end', async ({
  visit,
  world,
}) => {
  for (const [earning, text] of [
    [waiting, 'Waiting for hash confirmation'],
    [failed, 'Failed to confirm hash'],
  ] as const) {
    for (const end_date of [earning.end_date, ended.end_date]) {
      earn(world, { ...earning, end_date })
      const { page } = await visit({ as: 'user', path: '/dashboard', storage: SHOWN })
      await expect(status(page, 'PLAN-720')).toHaveText(text)
      const card = earningCard(page, 'PLAN-720')
      await expect(fact(card, 'Running amount')).toHaveText('10.000000 DCT')
      await expect(card.locator('dt')).toHaveText(['Running amount'])
      await expect(card.getByRole('progressbar')).toHaveCount(0)
      await expect(card.getByRole('button')).toHaveCount(0)
    }
  }
})

test('[EARN-12, ERR-02] a claim of capital that fails', async ({ visit, world }) => {
  earn(world, ended)
  const { page } = await visit({ as: 'user', path: '/dashboard', tolerates: FAILED_CALLS })
  const button = earningCard(page, 'PLAN-720').getByRole('button', { name: 'Claim Capital' })
  await expect(button).toBeVisible()
  world.breakDown(RELEASE)
  await button.click()
  await expect(toast(page, 'Failed to request claim capital.')).toBeVisible()
  await page.getByRole('button', { name: 'Dismiss' }).click()
  world.refuse(RELEASE, 'CAPITAL_NOT_DUE')
  await button.click()
  await expect(toast(page, 'The lock period of this plan is not over yet.')).toBeVisible()
})
