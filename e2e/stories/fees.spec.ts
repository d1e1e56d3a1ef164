import type { PendingFee } from '../outside/outside-client.ts'
import { callsOf, queryOf } from '../support/calls.ts'
import { alter, breakDown, FAILED_CALLS, refuse } from '../support/provoke.ts'
import { claimed, paid, withOpenFee } from '../support/scenes.ts'
import {
  fact,
  feeCard,
  feesPanel,
  headers,
  openPayDialog,
  overlay,
  paidFees,
  shownDate,
  textOf,
  toast,
} from '../support/screens.ts'
import { expect, test } from '../support/test.ts'

const PLAN = 'PLAN-720'
const LIST = '/api/user/pending-claim-fees'
const PAY = '/api/user/pay-claim-fee'
const INVALID = 'Invalid hash format. Please enter a valid BSC transaction hash.'
const GOOD_HASH = `0x${'Ab12'.repeat(16)}`

test('[FEE-01, FEE-02, FEE-03, FEE-04, FEE-09, FEE-10, FEE-11, FEE-12, FEE-13, FEE-15, FEE-16, FEE-24] [T056] an unpaid fee is a card with its facts in order, and payment instructions; the pay dialog asks for the hash and shows the whole receiving address, which can be copied', async ({
  visit,
  product,
}) => {
  const { holder, fee: paidFee } = await withOpenFee(product)
  await paid(product, holder, paidFee)
  await product.advance(6)
  const fee = await claimed(product, holder, { type: 'FULL' })
  const { page, calls } = await visit({ as: holder, path: '/dashboard' })
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
  const receiver = product.info.bsc.receiver_address
  const section = dialog.getByRole('region', { name: 'Receiving address on BSC (BEP20)' })
  expect((await textOf(section)).replaceAll(/\s/g, '')).toContain(receiver)
  await section.getByRole('button', { name: 'Copy the receiving address' }).click()
  await expect(toast(page, 'Admin address copied!')).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(receiver)
  const amount = dialog.getByRole('region', { name: 'Exact amount' })
  await expect(amount).toContainText(`${fee.unpaid_fee_usdt} USDT`)
  const other = await product.holder()
  const config = await other.call<{ bsc: { fee_receiver: string } }>('GET', '/api/config')
  expect(config.bsc.fee_receiver).toBe(receiver)
})

test('[FEE-17, FEE-18, FEE-22, ERR-02] [T061] only 0x and 64 hexadecimal digits are sent, and anything else leaves the dialog open; a failed payment shows the service’s message, or the fallback', async ({
  visit,
  product,
}) => {
  const { holder } = await withOpenFee(product)
  const { page, calls, toasts } = await visit({
    ...{ as: holder, path: '/dashboard', tolerates: FAILED_CALLS },
  })
  const { hash, submit } = await openPayDialog(page, PLAN)
  await submit.click()
  await expect(toast(page, 'Please enter the payment hash.')).toBeVisible()
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
  }
  expect(callsOf(calls, 'POST', PAY)).toEqual([])
  await refuse(page, PAY, 'This payment has been used for another fee of yours.')
  // Wallets and explorers also show it without its 0x.
  await hash.fill(GOOD_HASH.slice(2))
  await submit.click()
  await expect.poll(() => callsOf(calls, 'POST', PAY).length).toBe(1)
  expect(callsOf(calls, 'POST', PAY)[0]?.body).toMatchObject({
    earning_plan_code: PLAN,
    tx_hash_usdt: GOOD_HASH.toLowerCase(),
  })
  await expect(toast(page, 'This payment has been used for another fee of yours.')).toBeVisible()
  await page.unrouteAll({ behavior: 'wait' })
  await breakDown(page, PAY)
  await submit.click()
  await expect(toast(page, 'There was an error when paying a fee. Try again.')).toBeVisible()
})

test('[FEE-14, FEE-19] [T057] a payment that is too small is refused under the overlay with both amounts, and the fee stays open', async ({
  visit,
  product,
}) => {
  const { holder, fee } = await withOpenFee(product)
  const { page } = await visit({ as: holder, path: '/dashboard', tolerates: FAILED_CALLS })
  const sent = await holder.payUsdt('0.1')
  await product.settle()
  const { hash, submit } = await openPayDialog(page, PLAN)
  await page.route(
    (url) => url.pathname === PAY,
    async (route) => {
      await expect(overlay(page)).toBeVisible()
      await route.continue()
    },
  )
  await hash.fill(sent)
  await submit.click()
  const refusal = toast(
    page,
    new RegExp(`0\\.1.*${fee.unpaid_fee_usdt.replace('.', String.raw`\.`)}`),
  )
  await expect(refusal).toBeVisible()
  const [still] = await holder.pendingFees()
  expect(still).toMatchObject({ code_claim: fee.code_claim, is_paid: false })
})

test('[FEE-05, FEE-06, FEE-07, FEE-08, CHAIN-10] paid fees are in a table; searching by plan code filters paid and unpaid fees', async ({
  visit,
  product,
}) => {
  const { holder, fee } = await withOpenFee(product)
  const hash = await paid(product, holder, fee)
  let isSending = true
  const { page } = await visit({
    as: holder,
    path: '/dashboard',
    before: (opened) =>
      alter<{ pending_fees: PendingFee[] }>(opened, LIST, (answer) => ({
        ...answer,
        pending_fees: answer.pending_fees.map((one) =>
          isSending && one.is_paid ? { ...one, tx_hash_reward: 'RW-1' } : one,
        ),
      })),
  })
  const row = paidFees(page).filter({ hasText: fee.code_claim })
  await expect(row.getByText('Waiting', { exact: true })).toBeVisible()
  await expect(feesPanel(page).getByText('nothing to pay.')).toBeVisible()
  await expect(feeCard(page, PLAN)).toHaveCount(0)
  isSending = false
  await page.reload()
  await expect(row.getByText('Done', { exact: true })).toBeVisible()
  const payment = `https://testnet.bscscan.com/tx/${hash}`
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
  const [settled] = await holder.pendingFees()
  await expect(row.locator('td')).toHaveText([
    ...[PLAN, 'FULL', new RegExp(`^${fee.code_claim}`), fee.unpaid_fee, fee.unpaid_fee_usdt],
    ...[shownDate(settled?.deadline ?? ''), /^0x/, /^[0-9a-f]{5}/, 'Done'],
  ])
  const search = feesPanel(page).getByRole('searchbox', { name: 'Search by plan code' })
  await search.fill('PLAN-360')
  await expect(row).toHaveCount(0)
  await search.fill('plan-7')
  await expect(row).toHaveCount(1)
})

test('[FEE-23] fees that cannot be loaded show a message, and nothing is shown as paid', async ({
  visit,
  product,
}) => {
  const holder = await product.holder()
  const { page } = await visit({
    as: holder,
    path: '/dashboard',
    tolerates: FAILED_CALLS,
    before: (opened) => breakDown(opened, LIST),
  })
  await expect(
    toast(page, 'An error occurs when taking the data pending claim fees.').first(),
  ).toBeVisible()
  await expect(feesPanel(page).getByText('The fees could not be loaded.').first()).toBeVisible()
  await expect(fact(feesPanel(page), 'Fee (USDT)')).toHaveCount(0)
})
