import type { ClaimableReward, ClaimableRewardsReply } from '@dct/api-contract/claims'
import { successOf } from '@dct/api-contract/successes'
import type { Page } from '@playwright/test'
import { type Call, callsOf } from '../support/calls.ts'
import { FAILED_CALLS } from '../support/provoke.ts'
import { claimCard, dismissToast, fact, toast } from '../support/screens.ts'
import { expect, test } from './support/test.ts'
import { recordedReply, type World } from './support/world.ts'

const CLAIM = 'POST /api/user/claim'
const LIST = 'GET /api/user/claimable-reward'
const PATH = '/dashboard?tab=claim'
const TOO_LITTLE = 'Minimum claim amount is 0.6 DCT!'

const [recorded] = recordedReply<ClaimableRewardsReply>(LIST).claimable_rewards as [ClaimableReward]
/** 40 % of 0.6 at a price of 1, plus 0.10 for energy, plus the cent that the tail may need. */
const exact: ClaimableReward = {
  ...{ ...recorded, earning_plan_code: 'PLAN-720', total_claimable: '0.600000' },
  ...{ estimated_fee_usdt: '0.350000', unpaid_fee: '0.240000', fee_usdt: '0.240000' },
  parts: {
    FULL: { now_amount: '0.000000', later_amount: '0.600000' },
    HALF: { now_amount: '0.300000', later_amount: '0.300000' },
  },
}
const other: ClaimableReward = {
  ...{ ...exact, earning_plan_code: 'PLAN-360', total_claimable: '0.400000' },
  ...{ estimated_fee_usdt: '0.270000', can_claim: false },
}
const below: ClaimableReward = { ...exact, total_claimable: '0.450000', can_claim: false }

const can = (world: World, ...claimable_rewards: ClaimableReward[]) =>
  world.answer(LIST, { claimable_rewards })
const button = (page: Page, name: 'Claim Full' | 'Claim Half') =>
  claimCard(page, 'PLAN-720').getByRole('button', { name, exact: true })
const dialogOf = (page: Page, type: 'FULL' | 'HALF') =>
  page.getByRole('dialog', { name: `Claim PLAN-720: ${type}` })
const claimCalls = (calls: readonly Call[]) => callsOf(calls, 'POST', '/api/user/claim')

test('[CLAIM-01, CLAIM-02, CLAIM-04, CLAIM-05, CONST-04, CONST-05, FMT-04] claimable rewards per plan, with the estimated fee; the confirmation shows payout and cost, and Cancel makes no call', async ({
  visit,
  world,
}) => {
  can(world, exact, other)
  const { page, calls } = await visit({ as: 'user', path: PATH })
  const cards = page.getByRole('tabpanel', { name: 'Claim Reward' }).getByRole('article')
  await expect(cards).toHaveCount(2)
  await expect(fact(claimCard(page, 'PLAN-720'), 'Total claimable')).toHaveText('0.600000 DCT')
  await expect(fact(claimCard(page, 'PLAN-720'), 'Estimated fee')).toHaveText('0.350000 USDT')
  await expect(fact(claimCard(page, 'PLAN-360'), 'Total claimable')).toHaveText('0.400000 DCT')
  await expect(fact(claimCard(page, 'PLAN-360'), 'Estimated fee')).toHaveText('0.270000 USDT')
  for (const name of ['Claim Full', 'Claim Half'] as const) {
    await expect(button(page, name)).toBeVisible()
  }

  await button(page, 'Claim Half').click()
  const half = dialogOf(page, 'HALF')
  await expect(fact(half, 'Sent immediately')).toHaveText('0.30 DCT')
  await expect(fact(half, 'Sent after the fee is paid')).toHaveText('0.30 DCT')
  await half.getByText('Why?', { exact: true }).click()
  await expect(fact(half, 'Rounding and this fee’s own digits, at most')).toHaveText(
    '0.010000 USDT',
  )
  await expect(half).not.toContainText('exactly')
  await expect(half).toContainText(/Pay by \d.*, or later rewards are lost/)
  await expect(half.getByRole('button', { name: 'Confirm', exact: true })).toBeEnabled()
  await half.getByRole('button', { name: 'Cancel', exact: true }).click()
  await expect(half).toHaveCount(0)

  await button(page, 'Claim Full').click()
  const full = dialogOf(page, 'FULL')
  await expect(fact(full, 'Sent after the fee is paid')).toHaveText('0.600000 DCT')
  await expect(full.getByText('Sent immediately')).toHaveCount(0)
  await full.getByRole('button', { name: 'Cancel', exact: true }).click()
  await expect(full).toHaveCount(0)
  expect(claimCalls(calls)).toEqual([])
})

test('[CLAIM-09] below 0.6 DCT nothing can be claimed', async ({ visit, world }) => {
  can(world, below)
  const { page, calls } = await visit({ as: 'user', path: PATH })
  await expect(fact(claimCard(page, 'PLAN-720'), 'Total claimable')).toHaveText('0.450000 DCT')
  for (const name of ['Claim Full', 'Claim Half'] as const) {
    await button(page, name).click()
    await expect(toast(page, TOO_LITTLE)).toBeVisible()
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await dismissToast(page, TOO_LITTLE)
  }
  expect(claimCalls(calls)).toEqual([])
})

test('[CLAIM-03, CLAIM-07] with nothing to claim, and with a claimable amount of 0, there are no buttons', async ({
  visit,
  world,
}) => {
  can(world)
  const { page } = await visit({ as: 'user', path: PATH })
  await expect(page.getByText('No reward can be claimable', { exact: true })).toBeVisible()
  const buttons = page.getByRole('button', { name: /^Claim (Full|Half)$/ })
  await expect(buttons).toHaveCount(0)
  can(world, { ...below, total_claimable: '0.000000' })
  await page.reload()
  await expect(fact(claimCard(page, 'PLAN-720'), 'Total claimable')).toHaveText('0.000000 DCT')
  await expect(buttons).toHaveCount(0)
})

/** The page refetches when the user returns to the tab. */
async function comeBack(page: Page): Promise<void> {
  await page.clock.fastForward(10_000)
  await page.evaluate(() =>
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true })),
  )
}

test('[CLAIM-08] a plan whose reward has disappeared is no longer selected', async ({
  visit,
  world,
}) => {
  can(world, exact)
  const { page, calls } = await visit({ as: 'user', path: PATH, hasOwnClock: true })
  await button(page, 'Claim Full').click()
  await expect(dialogOf(page, 'FULL')).toBeVisible()
  can(world)
  await comeBack(page)
  await expect(page.getByText('No reward can be claimable', { exact: true })).toHaveCount(1)
  await dialogOf(page, 'FULL').getByRole('button', { name: 'Confirm' }).click()
  await expect(toast(page, 'Select Earning Plan first!')).toBeVisible()
  expect(claimCalls(calls)).toEqual([])
})

test('stale figures block claiming until they are refreshed', async ({ visit, world }) => {
  can(world, exact)
  const { page } = await visit({
    ...{ as: 'user', path: PATH, hasOwnClock: true, tolerates: FAILED_CALLS },
  })
  await expect(button(page, 'Claim Full')).toBeEnabled()
  world.breakDown(LIST)
  await comeBack(page)
  await expect(async () => {
    await page.clock.runFor(2_000)
    const reason = claimCard(page, 'PLAN-720').getByText(/could not be refreshed/)
    await expect(reason).toBeVisible({ timeout: 500 })
  }).toPass()
  await expect(button(page, 'Claim Full')).toBeDisabled()
  await expect(button(page, 'Claim Half')).toBeDisabled()
  world.mend(LIST)
  await page.getByRole('button', { name: 'Try again' }).first().click()
  await expect(button(page, 'Claim Full')).toBeEnabled()
})

test('[CLAIM-12, ERR-02] a failed claim shows the server’s message, or the fallback', async ({
  visit,
  world,
}) => {
  can(world, exact)
  const { page } = await visit({ as: 'user', path: PATH, tolerates: FAILED_CALLS })
  await button(page, 'Claim Full').click()
  const confirm = dialogOf(page, 'FULL').getByRole('button', { name: 'Confirm' })
  const failed = 'An error occurred during a reward claim.'
  world.breakDown(CLAIM)
  await confirm.click()
  await expect(toast(page, failed)).toBeVisible()
  await dismissToast(page, failed)
  await page.route('**/api/user/claim', (route) => route.abort())
  await confirm.click()
  await expect(toast(page, failed)).toBeVisible()
  await page.unrouteAll()
  world.say(CLAIM, 'The fee is now higher than the estimate.')
  await confirm.click()
  await expect(toast(page, 'The fee is now higher than the estimate.')).toBeVisible()
})

test('[CLAIM-13] claimable rewards that cannot be loaded', async ({ visit, world }) => {
  world.breakDown(LIST)
  const { page } = await visit({ as: 'user', path: PATH, tolerates: FAILED_CALLS })
  await expect(toast(page, 'An error occurs when taking reward data.')).toBeVisible()
  await expect(page.getByText('No reward can be claimable')).toHaveCount(0)
})

test('[CLAIM-06, CLAIM-10, CLAIM-11] after a claim its message is shown, the dialog is closed, and the list is updated', async ({
  visit,
  world,
}) => {
  can(world, exact)
  const hash = `RTX-${'1'.repeat(16)}`
  world.answer(CLAIM, () => {
    can(world)
    return {
      message: successOf('CLAIM_REQUESTED', { type: 'HALF' }),
      data: {
        ...{ transaction_hash: hash, code_claim: 'CL-00000000000000A1', claim_type: 'HALF' },
        ...{ now_amount: '0.300000', later_amount: '0.300000', unpaid_fee_usdt: '0.340123' },
        receiver_address: `0x${'1a'.repeat(20)}`,
      },
    }
  })
  const { page, calls } = await visit({ as: 'user', path: PATH })
  await button(page, 'Claim Half').click()
  expect(claimCalls(calls)).toEqual([])
  await dialogOf(page, 'HALF').getByRole('button', { name: 'Confirm' }).click()
  await expect(toast(page, `HALF Reward successfully claimed! TX: ${hash}`)).toBeVisible()
  expect(claimCalls(calls).map(({ body }) => body)).toEqual([
    expect.objectContaining({ earning_plan_code: 'PLAN-720', claim_type: 'HALF' }),
  ])
  await expect(dialogOf(page, 'HALF')).toHaveCount(0)
  await expect(claimCard(page, 'PLAN-720')).toHaveCount(0)
})
