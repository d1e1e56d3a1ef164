import { callsOf } from '../support/calls.ts'
import { fillJoin, pressJoin, toast, untilLoaded } from '../support/screens.ts'
import { expect, test } from '../support/test.ts'
import { walletQuestion } from '../support/wallet.ts'

test('TRX for energy but not for bandwidth: the page shows the required and the available amount, and sends nothing', async ({
  visit,
  product,
}) => {
  const poor = await product.holder({ assets: { trx: '3.000001' } })
  // Uses up so much of the day's free bandwidth that too little is left for an approval.
  const [other] = product.info.accounts
  await poor.tron.trx.sendTransaction(other?.tron_address ?? '', 1)

  const { page, calls } = await visit({ as: poor, wallet: 'asking', path: '/dashboard?tab=join' })
  await fillJoin(page, { plan: 'PLAN-720', amount: '10' })
  await untilLoaded(page)
  await pressJoin(page)
  // 22,612 energy plus a fifth, at 100 sun each, and 352 bytes at 1,000 sun each.
  const words =
    'This transaction needs up to 3.065400 TRX for energy and bandwidth, but the wallet holds only 3.000000 TRX. It was not sent.'
  await expect(toast(page, words)).toBeVisible()
  await expect(walletQuestion(page, 'Sign this transaction')).toHaveCount(0)
  expect(callsOf(calls, 'POST', '/tron/wallet/broadcasttransaction')).toEqual([])
  expect(callsOf(calls, 'POST', '/api/user/earnings')).toEqual([])
})
