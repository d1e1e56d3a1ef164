import type { Page } from '@playwright/test'
import type { OutsideHolder } from '../outside/outside-client.ts'
import { callsOf } from '../support/calls.ts'
import { claimReferral, payFees, referralCodeOf } from '../support/referrals.ts'
import { fact, shownDecimal, toast } from '../support/screens.ts'
import { expect, test } from '../support/test.ts'

type Entry = {
  id: string
  created_at: string
  last_claim_date: string
  total_accumulated: string
  usdt_address: string
}

const PATH = '/admin/referral-claim-pool'
const POOL = '/api/admin/referral-claim-pool'
const APPROVAL = '/api/admin/referral-claim-approval'

let earner: OutsideHolder
let entry: Entry

/** A referral of `earner` pays a fee, and `earner` claims the reward. */
test.beforeAll(async ({ product, admin }) => {
  earner = await product.holder({ email: 'earner@example.org' })
  await payFees(product, [await product.holder({ referrerCode: await referralCodeOf(earner) })])
  await claimReferral(earner, 'direct bonus')
  const { claim_pool } = await admin.call<{ claim_pool: Entry[] }>(
    'GET',
    `${POOL}?search=${earner.address}&bonus_type=direct%20bonus`,
  )
  const [newest] = claim_pool
  if (newest === undefined) throw new Error('The claim is not in the pool')
  entry = newest
})

const mine = () => `${PATH}?direct-search=${earner.address}`
const table = (page: Page) => page.getByRole('table', { name: 'Referral Claim Pool' })
const row = (page: Page) =>
  table(page).locator('tbody tr').filter({ hasText: 'earner@example.org' })
const approve = (page: Page) => row(page).getByRole('button', { name: 'Approve', exact: true })
const modal = (page: Page) => page.getByRole('dialog', { name: 'Confirm Approval', exact: true })
const confirm = (page: Page) => modal(page).getByRole('button', { name: 'Confirm', exact: true })
const balance = (page: Page) => fact(page.getByRole('main'), 'Admin USDT balance').first()

test('[CHAIN-11, CHAIN-12, CHAIN-13] the balance is read from the USDT contract on BSC, without a wallet', async ({
  visit,
  admin,
  product,
}) => {
  const { page, calls } = await visit({ as: admin, path: PATH, wallet: 'absent' })
  await expect(balance(page)).toHaveText(/^[\d,]+\.\d{6} USDT$/)
  const asked = callsOf(calls, 'POST', '/bsc').map(({ body }) => body)
  expect(new Set(asked.map(({ method }) => method))).toEqual(new Set(['eth_call']))
  const { usdt, payout_address: wallet, rpc } = product.info.bsc
  const owner = wallet.slice(2).toLowerCase().padStart(64, '0')
  const [{ to, data }] = asked[0]?.params ?? []
  expect([to.toLowerCase(), data.toLowerCase()]).toEqual([usdt.toLowerCase(), `0x70a08231${owner}`])

  const reply = await fetch(rpc, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...asked[0] }),
  })
  const units = BigInt((await reply.json()).result)
  const { approved_unpaid: unpaid } = await admin.call<{ approved_unpaid: string }>('GET', POOL)
  const left = units / 10n ** 12n - BigInt(unpaid.replace('.', ''))
  const decimal = `${left / 1_000_000n}.${`${left % 1_000_000n}`.padStart(6, '0')}`
  await expect(balance(page)).toHaveText(`${shownDecimal(decimal)} USDT`)
})

test('[APOOL-12, APOOL-16, APOOL-17, APOOL-18, APOOL-19, APOOL-30, ROLE-11] the modal asks for confirmation, and Cancel sends nothing; a claim is approved and paid', async ({
  visit,
  admin,
  product,
}) => {
  const { page, calls } = await visit({ as: admin, path: mine() })
  await approve(page).click()
  await expect(
    modal(page).getByText('Are you sure you want to approve this claim?', { exact: true }),
  ).toBeVisible()
  await modal(page).getByRole('button', { name: 'Cancel', exact: true }).click()
  await expect(modal(page)).toHaveCount(0)
  expect(callsOf(calls, 'PUT', APPROVAL)).toEqual([])

  await approve(page).click()
  const replied = page.waitForResponse((response) => response.url().endsWith(APPROVAL))
  await confirm(page).click()
  const { message } = await (await replied).json()
  await expect(toast(page, message)).toBeVisible()
  expect(callsOf(calls, 'PUT', APPROVAL).map(({ body }) => body)).toEqual([{ id: entry.id }])
  await expect(modal(page)).toHaveCount(0)
  await expect(row(page).getByText('Approved', { exact: true })).toBeVisible()
  await expect(approve(page)).toHaveCount(0)
  await product.settle()
  await page.reload()
  await expect(row(page).locator('td').nth(6).getByRole('link')).toBeVisible()
})
