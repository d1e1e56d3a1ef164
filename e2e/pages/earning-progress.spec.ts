import type { ClaimHistoryReply } from '@dct/api-contract/claims'
import type { RewardsReply, UserEarning } from '@dct/api-contract/earnings'
import { earningCard, fact, sidewaysOverflow } from '../support/screens.ts'
import { expect, test } from './support/test.ts'
import { listOf, recordedReply, type World } from './support/world.ts'

const PLAN = 'PLAN-720'
const EARNINGS = 'GET /api/user/earnings'
const PROGRESS = 'GET /api/user/earnings/:code/progress'
const REWARDS = 'GET /api/user/reward-distribution-history'
const CLAIMS = 'GET /api/user/claim-history'
const [recorded] = recordedReply<{ earnings: [UserEarning] }>(EARNINGS).earnings
const earning: UserEarning = {
  ...{ ...recorded, earning_plan_code: PLAN, is_frozen: false, freeze_reason: null },
}
const DAY_MS = 86_400_000
const dayFromNow = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10)

const holds = (world: World, facts: Partial<UserEarning>) =>
  world.answer(EARNINGS, (asked) => listOf('earnings', [{ ...earning, ...facts }], asked))

test('an earning that freezes before a claim is possible shows when claims start and end, and no other deadline', async ({
  visit,
  world,
}) => {
  holds(world, {
    ...{ distributed_cycles: 0, total_unclaimed: '0.000000', claimable_from: dayFromNow(31) },
    ...{ freezes_on: dayFromNow(30), lapses_from: dayFromNow(34) },
  })
  const { page } = await visit({ as: 'user', path: '/dashboard' })
  const card = earningCard(page, PLAN)
  for (const term of ['Claim possible from', 'Last day before rewards are lost']) {
    await expect(fact(card, term).locator('time')).toBeVisible()
  }
  await expect(card.getByText('Last day to claim', { exact: true })).toHaveCount(0)
})

test('an earning warns at 20, 25, 28 and 29 of 30 cycles, with growing urgency, and then is frozen', async ({
  visit,
  world,
}) => {
  const { page } = await visit({ as: 'user', path: '/dashboard' })
  const notice = earningCard(page, PLAN).locator('.callout')
  for (const [count, warning, tone] of [
    [19, null, undefined],
    [20, 20, 'warn'],
    [25, 25, 'warn'],
    [28, 28, 'bad'],
    [29, 29, 'bad'],
  ] as const) {
    holds(world, {
      ...{ reward_distribution_count: count, distributed_cycles: count, freeze_warning: warning },
      ...{ total_unclaimed: '3.000000', claimable_from: dayFromNow(-10) },
      ...{ freezes_on: dayFromNow(30 - count), lapses_from: dayFromNow(34 - count) },
    })
    await page.reload()
    await expect(fact(earningCard(page, PLAN), 'Claim count')).toHaveText(`${count} / 30`)
    if (tone === undefined) {
      await expect(notice).toHaveCount(0)
      continue
    }
    await expect(notice).toContainText(`${count} of 30 cycles without a claim.`)
    await expect(notice).toContainText('or this earning freezes')
    await expect(notice).toHaveAttribute('data-tone', tone)
  }
  const frozen = { is_frozen: true, freeze_reason: 'unclaimed', freeze_warning: 30 } as const
  holds(world, {
    ...{ ...frozen, reward_distribution_count: 30, total_unclaimed: '4.500000' },
    ...{ freezes_on: dayFromNow(0), lapses_from: dayFromNow(3) },
  })
  await page.reload()
  await expect(notice).toContainText('Frozen because 30 cycles passed without a claim.')
  await expect(notice).toHaveAttribute('data-tone', 'bad')
  const lastChance = fact(earningCard(page, PLAN), 'Last day before rewards are lost')
  await expect(lastChance.locator('time')).toBeVisible()
})

/** Eight cycles, of which the first six have been claimed and paid. */
function haveEightCycles(world: World): void {
  const [reward] = recordedReply<RewardsReply>(REWARDS).rewards
  const newest = { ...reward, earning_plan_code: PLAN, cycle: 8, reward_amount: '0.150000' }
  world.answer(REWARDS, (asked) => listOf('rewards', [newest as object], asked))
  const found = recordedReply<ClaimHistoryReply>(CLAIMS).claims.find(({ is_paid }) => is_paid)
  const claim = {
    ...{ ...found, plan_code: PLAN, earning_plan_code: PLAN, first_cycle: 1, last_cycle: 6 },
    ...{ claimed_amount: '0.900000', unpaid_fee: '0.360000' },
  }
  world.answer(CLAIMS, (asked) => listOf('claims', [claim], asked))
  world.alter<{ stretches: object[]; claims: object[] }>(PROGRESS, (progress) => ({
    ...{ ...progress, earning_plan_code: PLAN, duration_days: 720, total_reward: '108.000000' },
    stretches: [
      {
        ...{ first_cycle: 1, last_cycle: 8, first_day: '2026-11-29', last_day: '2026-12-06' },
        ...{ amount: '1.200000', is_lapsed: false, is_frozen: false },
      },
    ],
    claims: [
      {
        ...{ code_claim: 'CL-00000000000000A1', claim_type: 'HALF', state: 'paid' },
        ...{ claim_day: '2026-12-04', first_cycle: 1, last_cycle: 6, claimed_amount: '0.900000' },
      },
    ],
  }))
}

test('every reward and every claim shows its calculation, and the progress of an earning is shown as a chart and as text', async ({
  visit,
  world,
}) => {
  // The recorded day is 2026-12-10, and the picture ends thirty days later.
  holds(world, {
    ...{ reward_distribution_count: 8, distributed_cycles: 8, total_unclaimed: '0.300000' },
    ...{ claimable_from: '2026-12-08', freezes_on: '2026-12-30', lapses_from: '2027-01-03' },
  })
  haveEightCycles(world)
  const { page } = await visit({ as: 'user', path: '/dashboard' })
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
