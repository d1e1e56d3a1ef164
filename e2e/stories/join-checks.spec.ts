import { joined, PLAN_720 } from '../support/scenes.ts'
import { fillJoin, joinForm, pressJoin, toast, untilLoaded } from '../support/screens.ts'
import { expect, test } from '../support/test.ts'

const FOLLOWED = "You have followed this plan, can't join again!"

test('[JOIN-07, JOIN-10, JOIN-26] a plan that was joined on another device cannot be joined again', async ({
  visit,
  product,
}) => {
  const person = await product.holder()
  const { page } = await visit({ as: person, wallet: 'asking', path: '/dashboard?tab=join' })
  const form = joinForm(page)
  await fillJoin(page, { plan: 'PLAN-360', amount: '20' })
  await untilLoaded(page)
  await joined(product, person)

  await form.plan.selectOption('PLAN-720')
  await expect(toast(page, FOLLOWED)).toBeVisible()
  await expect(form.join).toHaveText('Have joined')
  await expect(form.join).toBeDisabled()
  await form.plan.selectOption('PLAN-360')
  await expect(form.join).toHaveText('Join')
  await expect(form.join).toBeEnabled()

  const again = await person.tryCall('POST', '/api/user/earning-plans/PLAN-720/reserve', {
    amount: '20',
  })
  expect(again).toMatchObject({ status: 409, body: { message: FOLLOWED } })
  await expect(person.lock(PLAN_720, '20')).rejects.toThrow(/REVERT/)
})

test('[JOIN-14, JOIN-17] a reward equal to the remaining quota is accepted and uses it up', async ({
  visit,
  product,
}) => {
  const plan = { code: 'ONE-PLACE', durationDays: 360 }
  const terms = { totalPercentage: '72', totalReward: '14.4', dailyLimit: '7.2' }
  await product.createPlan({ ...plan, ...terms })
  const first = await product.holder()
  const winner = await visit({ as: first, path: '/dashboard?tab=join' })
  await fillJoin(winner.page, { plan: 'ONE-PLACE', amount: '10' })
  await untilLoaded(winner.page)
  await pressJoin(winner.page)
  await expect(toast(winner.page, 'You joined ONE-PLACE: 10 DCT are locked.')).toBeVisible()
  await product.settle()

  const { page } = await visit({ as: await product.holder(), path: '/dashboard?tab=join' })
  await fillJoin(page, { plan: 'ONE-PLACE', amount: '10' })
  await untilLoaded(page)
  await expect(joinForm(page).dailyQuota).toHaveText('0.000000 DCT')
  await joinForm(page).join.click()
  await expect(
    toast(page, 'The daily quota for this plan has run out.Try again tomorrow!'),
  ).toBeVisible()
  await expect(joinForm(page).annualQuota).toHaveText('7.200000 DCT')
})
