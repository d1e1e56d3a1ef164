import type { UserEarningsReply } from '@dct/api-contract/earnings'
import type { Page } from '@playwright/test'
import type { OutsideHolder } from '../outside/outside-client.ts'
import { callsOf } from '../support/calls.ts'
import { alter, restore } from '../support/provoke.ts'
import { claimed, joined, openFee, paid } from '../support/scenes.ts'
import { earningCard, tab } from '../support/screens.ts'
import { expect, test } from '../support/test.ts'

/** A plan that ends soon and pays enough that a claim is possible on its first day. */
const SHORT = { code: 'SHORT-3', durationDays: 3 }
const SHORT_TERMS = { totalReward: '500', totalPercentage: '12', dailyLimit: '500' }

/** Has a claim with an open fee. */
let frozen: OutsideHolder
/** Has an earning that has ended. */
let ended: OutsideHolder

test.beforeAll(async ({ product }) => {
  await product.createPlan({ ...SHORT, ...SHORT_TERMS })
  ;[frozen, ended] = [await product.holder(), await product.holder()]
  await joined(product, frozen)
  await joined(product, ended, { plan: SHORT })
  await product.advance(5)
  await claimed(product, frozen, { type: 'FULL' })
})

const status = (page: Page, planCode: string) =>
  earningCard(page, planCode).locator('header .badge')

test('[EARN-09, EARN-11, STATE-08, API-17] the capital of an ended earning can be claimed and is returned', async ({
  visit,
  product,
}) => {
  const { page, calls } = await visit({
    ...{ as: ended, wallet: 'absent', path: '/dashboard' },
    // The service returns it by itself within moments; the page is as it was before that.
    before: (fresh) => alter<UserEarningsReply>(fresh, '/api/user/earnings', beforeReturn),
  })
  const claimCapital = earningCard(page, SHORT.code).getByRole('button', { name: 'Claim Capital' })
  await claimCapital.click()
  await expect(tab(page, 'Join Earning Plan')).toHaveCount(0)
  await expect.poll(() => callsOf(calls, 'POST', '/api/user/request-claim').length).toBe(1)
  const [call] = callsOf(calls, 'POST', '/api/user/request-claim')
  expect(call?.body).toEqual({ earning_plan_code: SHORT.code })
  await product.settle()
  const { staking, token } = product.info.tron
  const stakeId = await ended.read(staking, 'stakeOf(address,string)', [
    { type: 'address', value: ended.address },
    { type: 'string', value: SHORT.code },
  ])
  expect(stakeId).toBeGreaterThan(0n)
  const owner = { type: 'address', value: ended.address }
  expect(await ended.read(token, 'balanceOf(address)', [owner])).toBe(1_000_000_000n)
  await restore(page)
  await page.reload()
  await expect(claimCapital).toBeDisabled()
})

function beforeReturn(reply: UserEarningsReply): UserEarningsReply {
  const earnings = reply.earnings.map((one) =>
    one.earning_plan_code === SHORT.code
      ? { ...one, capital_state: 'due' as const, release_trx_hash: null }
      : one,
  )
  return { ...reply, earnings }
}

test('[STATE-14] once the fee is paid the earning is no longer frozen', async ({
  visit,
  product,
}) => {
  const { page } = await visit({ as: frozen, wallet: 'absent', path: '/dashboard' })
  await expect(status(page, 'PLAN-720')).toHaveText('Freeze')
  await paid(product, frozen, await openFee(frozen, 'PLAN-720'))
  await expect(status(page, 'PLAN-720')).toHaveText('Active')
})
