import type { PendingClaimFee } from '@dct/api-contract/claims'
import type { ConfigReply } from '@dct/api-contract/config'
import type { UserEarningsReply } from '@dct/api-contract/earnings'
import { SUCCESSES } from '@dct/api-contract/successes'
import { callsOf, queryOf } from '../support/calls.ts'
import { FAILED_CALLS } from '../support/provoke.ts'
import {
  fact,
  feeCard,
  feesPanel,
  headers,
  openPayDialog,
  paidFees,
  shownDate,
  textOf,
  toast,
} from '../support/screens.ts'
import { expect, test } from './support/test.ts'
import { listOf, recordedReply, type World } from './support/world.ts'

const PLAN = 'PLAN-720'
const LIST = '/api/user/pending-claim-fees'
const PAY = '/api/user/pay-claim-fee'
const INVALID = 'Invalid hash format. Please enter a valid BSC transaction hash.'
const GOOD_HASH = `0x${'Ab12'.repeat(16)}`

const fees = recordedReply<{ pending_fees: PendingClaimFee[] }>(`GET ${LIST}`).pending_fees
const ofPlan = { earning_plan_code: PLAN, claim_type: 'FULL', mismatch: null } as const
const open: PendingClaimFee = {
  ...(fees.find(({ is_paid }) => !is_paid) as PendingClaimFee),
  ...{ ...ofPlan, code_claim: 'CL-00000000000000A1', pending_token_amount: '0.900000' },
  ...{ unpaid_fee: '0.360000', unpaid_fee_usdt: '0.460123', exact_fee_usdt: '0.460123' },
}
const paid: PendingClaimFee = {
  ...(fees.find(({ is_paid }) => is_paid) as PendingClaimFee),
  ...{ ...ofPlan, code_claim: 'CL-00000000000000B2', deadline: '2026-03-04T03:04:05.000Z' },
}

/** Owes these fees, because of which later rewards will be lost. */
function owe(world: World, ...all: PendingClaimFee[]): void {
  world.answer(`GET ${LIST}`, (asked) => listOf('pending_fees', all, asked))
  world.answer('POST /api/user/check-terms', { message: SUCCESSES.TERMS_ACCEPTED })
  world.alter<UserEarningsReply>('GET /api/user/earnings', ({ earnings, ...frame }) => ({
    ...frame,
    earnings: earnings.map((one) => ({
      ...{ ...one, is_frozen: true, freeze_reason: 'open_fee', lapses_from: '2026-04-01' },
    })),
  }))
}

test('[FEE-01, FEE-02, FEE-03, FEE-04, FEE-09, FEE-10, FEE-11, FEE-12, FEE-13, FEE-15, FEE-16, FEE-24] [T056] an unpaid fee is a card with its facts in order, and payment instructions; the pay dialog asks for the hash and shows the whole receiving address, which can be copied', async ({
  visit,
  world,
}) => {
  owe(world, open, paid)
  const fee = open
  const { page, calls } = await visit({ as: 'user', path: '/dashboard' })
  const card = feeCard(page, PLAN)
  await expect(paidFees(page)).toHaveCount(1)
  await expect(feesPanel(page).getByRole('article')).toHaveCount(1)
  await expect(card).toContainText(fee.unpaid_fee_usdt)
  const text = (await card.innerText()).replaceAll(/\s+/g, ' ')
  const order = [
    PLAN,
    'FULL',
    'Total claim',
    '0.900000 DCT',
    'Fee (DCT)',
    '0.360000 DCT',
    'Fee (USDT)',
    `${fee.unpaid_fee_usdt} USDT`,
  ]
  const places = order.map((part) => text.toUpperCase().indexOf(part.toUpperCase()))
  expect(places, text).toEqual(places.toSorted((a, b) => a - b))
  expect(places).not.toContain(-1)
  const asked = callsOf(calls, 'GET', LIST).map(queryOf)
  expect(asked.length).toBeGreaterThan(0)
  for (const query of asked) expect(query).toMatchObject({ page: '1', limit: '10' })

  await expect(card).toContainText(/Pay by \d.*, or later rewards are lost/)
  await card.getByRole('button', { name: 'How to Pay' }).click()
  const howTo = page.getByRole('dialog')
  expect(await howTo.getByRole('listitem').count()).toBeGreaterThan(3)
  await expect(howTo).toContainText('BSC (BEP20)')
  await expect(howTo).toContainText('Too much or too little does not settle the fee')
  await howTo.getByRole('button', { name: 'Understood' }).click()
  await expect(howTo).toHaveCount(0)

  const { dialog, hash } = await openPayDialog(page, PLAN)
  await expect(hash).toBeVisible()
  const receiver = recordedReply<ConfigReply>('GET /api/config').bsc.fee_receiver
  const section = dialog.getByRole('region', { name: 'Receiving address on BSC (BEP20)' })
  expect((await textOf(section)).replaceAll(/\s/g, '')).toContain(receiver)
  await section.getByRole('button', { name: 'Copy the receiving address' }).click()
  await expect(toast(page, 'Admin address copied!')).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(receiver)
  const amount = dialog.getByRole('region', { name: 'Exact amount' })
  await expect(amount).toContainText(`${fee.unpaid_fee_usdt} USDT`)
})

test('[FEE-17, FEE-18, FEE-22, ERR-02] [T061] only 0x and 64 hexadecimal digits are sent, and anything else leaves the dialog open; a failed payment shows the service’s message, or the fallback', async ({
  visit,
  world,
}) => {
  owe(world, open)
  const { page, calls, toasts } = await visit({
    ...{ as: 'user', path: '/dashboard', tolerates: FAILED_CALLS },
  })
  const { hash, submit } = await openPayDialog(page, PLAN)
  // It is optional: a payment is found without its hash.
  await expect(submit).toHaveClass(/button--quiet/)
  await submit.click()
  await expect(toast(page, 'Please enter the payment hash.')).toBeVisible()
  await expect(hash).toHaveAccessibleDescription('Please enter the payment hash.')
  const wrong = [
    GOOD_HASH.slice(0, -1),
    `${GOOD_HASH}0`,
    `${GOOD_HASH} 0x${'cd34'.repeat(16)}`,
    `${GOOD_HASH.slice(0, -1)}g`,
  ]
  for (const [index, text] of wrong.entries()) {
    await hash.fill(text)
    await submit.click()
    await expect
      .poll(() => toasts.filter((shown) => shown.includes(INVALID)).length)
      .toBe(index + 1)
    await expect(hash).toHaveValue(text)
    await expect(hash).toHaveAccessibleDescription(INVALID)
  }
  expect(callsOf(calls, 'POST', PAY)).toEqual([])
  world.refuse(`POST ${PAY}`, 'PAYMENT_ALREADY_USED')
  // Wallets and explorers also show it without its 0x.
  await hash.fill(GOOD_HASH.slice(2))
  await submit.click()
  await expect.poll(() => callsOf(calls, 'POST', PAY).length).toBe(1)
  expect(callsOf(calls, 'POST', PAY)[0]?.body).toMatchObject({
    earning_plan_code: PLAN,
    tx_hash_usdt: GOOD_HASH.toLowerCase(),
  })
  await expect(toast(page, 'This payment has been used for another fee of yours.')).toBeVisible()
  world.breakDown(`POST ${PAY}`)
  await submit.click()
  await expect(toast(page, 'There was an error when paying a fee. Try again.')).toBeVisible()
})

test('[FEE-05, FEE-06, FEE-07, FEE-08, CHAIN-10] paid fees are in a table; searching by plan code filters paid and unpaid fees', async ({
  visit,
  world,
}) => {
  owe(world, { ...paid, tx_hash_reward: 'RW-1' })
  const { page } = await visit({ as: 'user', path: '/dashboard' })
  const row = paidFees(page).filter({ hasText: paid.code_claim })
  await expect(row.getByText('Waiting', { exact: true })).toBeVisible()
  await expect(feesPanel(page).getByText('nothing to pay.')).toBeVisible()
  await expect(feeCard(page, PLAN)).toHaveCount(0)
  owe(world, paid)
  await page.reload()
  await expect(row.getByText('Done', { exact: true })).toBeVisible()
  const payment = `https://testnet.bscscan.com/tx/${paid.tx_hash_usdt}`
  await expect(row.locator(`a[href="${payment}"]`)).toBeVisible()
  const names = (await headers(feesPanel(page).getByRole('table'))).map((name) => name.trim())
  expect(names).toEqual([
    'Plan Code',
    'Type',
    'Code',
    'Fee (DCT)',
    'Fee (USDT)',
    'Deadline',
    'Tx Hash (USDT)',
    'Tx Hash (Reward)',
    'Status',
  ])
  await expect(row.locator('td')).toHaveText([
    ...[PLAN, 'FULL', new RegExp(`^${paid.code_claim}`), paid.unpaid_fee],
    `${paid.exact_fee_usdt} USDT`,
    ...[shownDate(paid.deadline ?? ''), /^0x/, /^[0-9a-f]{5}/, 'Done'],
  ])
  const search = feesPanel(page).getByRole('searchbox', { name: 'Search by plan code' })
  await search.fill('PLAN-360')
  await expect(row).toHaveCount(0)
  await search.fill('plan-7')
  await expect(row).toHaveCount(1)
})

test('[FEE-23] fees that cannot be loaded show a message, and nothing is shown as paid', async ({
  visit,
  world,
}) => {
  world.breakDown(`GET ${LIST}`)
  const { page } = await visit({ as: 'user', path: '/dashboard', tolerates: FAILED_CALLS })
  await expect(
    toast(page, 'An error occurs when taking the data pending claim fees.').first(),
  ).toBeVisible()
  await expect(page.getByText('could not be loaded')).toHaveText('The fees could not be loaded.')
  await expect(fact(feesPanel(page), 'Fee (USDT)')).toHaveCount(0)
  world.mend(`GET ${LIST}`)
  owe(world, open, paid)
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(feeCard(page, PLAN)).toBeVisible()
  await expect(paidFees(page)).toHaveCount(1)
})

test('all payments that settled nothing stay in view, with an open fee and with a paid one', async ({
  visit,
  world,
}) => {
  const mismatch = {
    ...{
      tx_hash: `0x${'ab'.repeat(32)}`,
      received_usdt: '0.700000',
      expected_usdt: '0.460123',
      message: '',
    },
    earlier: [{ tx_hash: `0x${'cd'.repeat(32)}`, received_usdt: '0.200000' }],
  }
  owe(world, { ...open, mismatch }, { ...paid, mismatch })
  const { page } = await visit({ as: 'user', path: '/dashboard' })
  const openFee = feeCard(page, PLAN)
  await expect(openFee.getByText(/^0\.700000 USDT arrived instead of 0\.460123 USDT/)).toBeVisible()
  const paidFee = paidFees(page).filter({ hasText: paid.code_claim })
  await expect(paidFee.getByText(/^Another 0\.700000 USDT arrived for this paid fee/)).toBeVisible()
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 844 })
    for (const place of [openFee, paidFee]) {
      await expect(place.getByText(/^Also arrived: 0\.200000 USDT/)).toBeVisible()
    }
  }
})

test('a dashboard of which nothing can be loaded says so once, and one press loads all of it', async ({
  visit,
  world,
}) => {
  const failing = ['earnings', 'claimable-reward', 'get-claimed-rewards', 'pending-claim-fees'].map(
    (call) => `GET /api/user/${call}`,
  )
  world.breakDown(...failing)
  const { page, toasts } = await visit({
    ...{ as: 'user', path: '/dashboard', tolerates: FAILED_CALLS },
  })
  await expect(page.getByText('could not be loaded')).toHaveText(
    'Your figures could not be loaded.',
  )
  expect(toasts).toEqual([])
  world.mend(...failing)
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('tab', { name: 'My Earnings' })).toBeVisible()
  await expect(page.getByText('could not be loaded')).toHaveCount(0)
})
