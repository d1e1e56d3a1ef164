import type { Proposal, ProposalsReply } from '@dct/api-contract/proposals'
import { SUCCESSES } from '@dct/api-contract/successes'
import { callsOf } from '../support/calls.ts'
import { FAILED_CALLS } from '../support/provoke.ts'
import { part, toast } from '../support/screens.ts'
import { expect, test } from './support/test.ts'

const PATH = '/admin/operations?tab=approvals'
const LIST = 'GET /api/admin/proposals'
const WITHDRAW = 'POST /api/admin/proposals/withdraw'
const DECLINE = 'POST /api/admin/proposals/decline'
const AT = '2026-01-31T03:00:00.000Z'
const USER = 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8'

const OWN: Proposal = {
  ...{ id: 'price:0', kind: 'price', tron_address: null, claim: null },
  ...{ old_value: '1.00000000', value: '2.00000000', proposed_by: USER, proposed_at: AT },
  ...{ expires_at: '2026-02-01T03:00:00.000Z', is_mine: true, can_withdraw: true },
}
const RATE: Proposal = {
  ...OWN,
  ...{ id: 'referral_percentage:7', kind: 'referral_percentage', tron_address: USER },
  ...{ old_value: '10', value: '40', is_mine: false, can_withdraw: false },
}
const CLAIM: Proposal = {
  ...OWN,
  ...{ id: 'referral_claim:9', kind: 'referral_claim', tron_address: USER, old_value: null },
  ...{ value: '600.000000', expires_at: null, is_mine: false, can_withdraw: false },
  claim: { id: '9', bonus_type: 'direct bonus', usdt_address: `0x${'ab'.repeat(20)}` },
}
const listed = (...proposals: Proposal[]): ProposalsReply => ({ proposals })

test('an admin withdraws the own proposal, which then waits no longer', async ({
  visit,
  world,
}) => {
  world.answer(LIST, listed(OWN))
  world.answer(WITHDRAW, { message: SUCCESSES.PROPOSAL_WITHDRAWN })
  const { page, calls } = await visit({ as: 'admin', path: PATH })
  const waiting = part(page, 'Waiting for a second admin')
  await expect(waiting.getByText('Another admin must decide')).toBeVisible()
  await expect(waiting.getByRole('button', { name: 'Decline' })).toHaveCount(0)
  await expect(waiting.getByRole('button', { name: 'Confirm as second admin' })).toHaveCount(0)
  world.answer(LIST, listed())
  await waiting.getByRole('button', { name: 'Withdraw' }).click()
  await expect(toast(page, SUCCESSES.PROPOSAL_WITHDRAWN)).toBeVisible()
  await expect(waiting.getByText('Nothing is waiting for a second admin.')).toBeVisible()
  expect(callsOf(calls, 'POST', '/api/admin/proposals/withdraw').map(({ body }) => body)).toEqual([
    { id: OWN.id, proposed_at: AT },
  ])
})

test('a second admin declines a proposal only with a reason, and sees why it cannot be', async ({
  visit,
  world,
}) => {
  world.answer(LIST, listed(RATE, CLAIM))
  world.refuse(DECLINE, 'PROPOSAL_GONE')
  const { page, calls } = await visit({ as: 'admin', path: PATH, tolerates: FAILED_CALLS })
  const rows = part(page, 'Waiting for a second admin').locator('tbody tr')
  await expect(rows.getByRole('button', { name: 'Withdraw' })).toHaveCount(0)
  await rows.first().getByRole('button', { name: 'Decline' }).click()
  const modal = page.getByRole('dialog', { name: 'Decline proposal', exact: true })
  await expect(modal).toContainText('10.00% → 40.00%')
  await expect(modal).toContainText('the first admin can propose it again')
  const decline = modal.getByRole('button', { name: 'Decline' })
  await expect(decline).toBeDisabled()
  await modal.getByLabel('Reason, for the admin log').fill(' Too much. ')
  await decline.click()
  await expect(modal.getByRole('alert')).toContainText('This proposal is no longer open')
  world.mend(DECLINE)
  world.answer(DECLINE, { message: SUCCESSES.PROPOSAL_DECLINED })
  world.answer(LIST, listed(CLAIM))
  await decline.click()
  await expect(toast(page, SUCCESSES.PROPOSAL_DECLINED)).toBeVisible()
  await expect(rows).toHaveCount(1)
  expect(callsOf(calls, 'POST', '/api/admin/proposals/decline').at(-1)?.body).toEqual({
    ...{ id: RATE.id, proposed_at: AT, reason: 'Too much.' },
  })
  await rows.first().getByRole('button', { name: 'Decline' }).click()
  await expect(modal).toContainText('The claim itself stays open')
})

test('the decisions are offered in Indonesian, too', async ({ visit, world }) => {
  world.answer(LIST, listed(OWN, RATE))
  const { page } = await visit({ as: 'admin', path: PATH, storage: { language: 'id' } })
  await expect(page.getByRole('button', { name: 'Tarik kembali' })).toHaveCount(1)
  await page.getByRole('button', { name: 'Tolak' }).click()
  const modal = page.getByRole('dialog', { name: 'Tolak usulan', exact: true })
  await expect(modal.getByLabel('Alasan, untuk log admin')).toBeVisible()
})
