import type { PendingClaimFee, PendingFeesReply } from '@dct/api-contract/claims'
import { callsOf } from '../support/calls.ts'
import { feeCard, openPayDialog, toast } from '../support/screens.ts'
import { keepSteps } from './support/money-steps.ts'
import { BSC_ACCOUNT, expect, test } from './support/test.ts'
import { listOf, recordedReply } from './support/world.ts'

const FEES = 'GET /api/user/pending-claim-fees'
const PLAN = 'PLAN-720'
const { pending_fees: recorded } = recordedReply<PendingFeesReply>(FEES)
const open: PendingClaimFee = {
  ...(recorded.find(({ is_paid }) => !is_paid) as PendingClaimFee),
  ...{ earning_plan_code: PLAN, mismatch: null, first_cycle: 1, last_cycle: 6 },
  ...{ pending_token_amount: '0.900000', later_amount: '0.900000', unpaid_fee: '0.360000' },
  ...{ fee_usdt: '0.360000', unpaid_fee_usdt: '0.460123', exact_fee_usdt: '0.460123' },
}

test.beforeEach(({ world }) => {
  world.answer(FEES, (asked) => listOf('pending_fees', [open], asked))
})

test('declining in the wallet sends nothing; a payment already made is not offered again', async ({
  visit,
  world,
}) => {
  const steps = keepSteps(world)
  const { page, calls, wallet } = await visit({
    ...{ as: 'user', wallet: 'connected', path: '/dashboard' },
  })
  wallet.answerBy((question) => {
    if (question.what !== 'bsc') return 'yes'
    if (question.method === 'eth_sendTransaction') return 'no'
    if (question.method === 'eth_chainId') return { result: '0x61' }
    if (question.method === 'eth_call')
      return { result: `0x${(10n ** 22n).toString(16).padStart(64, '0')}` }
    return { result: [BSC_ACCOUNT] }
  })
  const { dialog, hash } = await openPayDialog(page, PLAN)
  const pay = dialog.getByRole('button', { name: 'Pay 0.460123 USDT with Test Wallet' })
  await pay.click()
  await expect(
    toast(page, 'You declined the payment in the wallet. Nothing was sent.'),
  ).toBeVisible()
  expect(callsOf(calls, 'POST', '/api/user/pay-claim-fee')).toEqual([])
  await expect.poll(() => steps).toEqual([])

  await hash.fill(`0x${'ab'.repeat(32)}`)
  await expect(pay).toBeDisabled()
  await expect(dialog.getByText('A payment has already been sent.')).toBeVisible()
})

test('the card shows how a fee is calculated; the dialog has the receiving address as a QR code and always names the network', async ({
  visit,
}) => {
  const { page } = await visit({ as: 'user', path: '/dashboard' })
  const card = feeCard(page, PLAN)
  await card.getByText('Why this amount?').click()
  await expect(card).toContainText('Credited in cycles 1 to 6: 0.900000 DCT.')
  await expect(card).toContainText(
    '40.00% of it is 0.360000 DCT, or 0.360000 USDT at 1.000000 USDT',
  )
  const { dialog } = await openPayDialog(page, PLAN)
  await expect(dialog.getByRole('img')).toHaveCount(0)
  await dialog.getByText('QR code', { exact: true }).click()
  await expect(
    dialog.getByRole('img', { name: `QR code of ${open.receiver_address}` }),
  ).toBeVisible()
  expect((await dialog.innerText()).match(/BSC \(BEP20\)/g)?.length).toBeGreaterThanOrEqual(3)
  await expect(dialog.getByRole('button', { name: /^Pay .* with/ })).toHaveCount(0)
})
