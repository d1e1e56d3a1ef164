import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Locator, Page } from '@playwright/test'
import { newAccount, OutsideHolder } from '../outside/outside-client.ts'
import { expectAccessible } from '../support/accessibility.ts'
import { callsOf } from '../support/calls.ts'
import { FAILED_CALLS } from '../support/provoke.ts'
import { claimReferral, referralCodeOf } from '../support/referrals.ts'
import { claimed, joined, paid } from '../support/scenes.ts'
import { fact, part, toast } from '../support/screens.ts'
import { expect, test } from '../support/test.ts'

const OPERATIONS = '/admin/operations'
const APPROVALS = `${OPERATIONS}?tab=approvals`
const CLOSE = '/admin/control?tab=close'
const APPROVAL = '/api/admin/referral-claim-approval'
const PRICE = '/admin/control?tab=price'
const RATE = '/api/admin/update-referral-reward'
const accounts = [newAccount('First admin'), newAccount('Second admin')] as const

// Two admins, fresh signatures for actions that move money, and low thresholds for a second admin.
test.use({
  productEnv: {
    ADMINS: accounts.map(({ tron_address }) => tron_address).join(','),
    STEP_UP: 'on',
    SECOND_APPROVAL_ABOVE_USDT: '0.01',
    SECOND_APPROVAL_ABOVE_PERCENT: '10',
  },
})

let first: OutsideHolder
let second: OutsideHolder
let earner: OutsideHolder
let code: string
let feeHash: string
let claimDay: string

/** A referral of `earner` pays a fee, `earner` claims the reward, and a day passes. */
test.beforeAll(async ({ product }) => {
  const admins = accounts.map(
    (account) => new OutsideHolder({ base: product.url, info: product.info, account }),
  )
  for (const admin of admins) await admin.login()
  ;[first, second] = admins as [OutsideHolder, OutsideHolder]
  earner = await product.holder({ email: 'earner@example.org' })
  const payer = await product.holder({ referrerCode: await referralCodeOf(earner) })
  await joined(product, payer)
  claimDay = await product.advance(8)
  const fee = await claimed(product, payer, { type: 'HALF' })
  code = fee.code_claim
  feeHash = await paid(product, payer, fee)
  await claimReferral(earner, 'direct bonus')
  await product.advance(1)
})

const stepUp = (page: Page) => page.getByRole('dialog', { name: 'Confirm with your wallet' })
/** The service asks for another signature only once the last one is some minutes old. */
const signIfAsked = async (page: Page, outcome: Locator) => {
  await expect(outcome.or(stepUp(page))).toBeVisible()
  if (await stepUp(page).isVisible()) await signAgain(page)
  await expect(outcome).toBeVisible()
}
const signAgain = async (page: Page) => {
  await stepUp(page).getByRole('button', { name: 'Sign and continue' }).click()
  await expect(stepUp(page)).toHaveCount(0)
}

test('changing a percentage shows the cost, asks for a fresh signature, and needs two admins', async ({
  visit,
}) => {
  const { page, calls } = await visit({
    as: first,
    path: `/admin/dashboard?tab=users&user-search=${earner.address}`,
    tolerates: FAILED_CALLS,
  })
  await page.getByRole('button', { name: 'Edit %' }).click()
  const edit = page.getByRole('dialog', { name: 'Edit Reward Percentage' })
  await edit.getByRole('textbox').fill('20')
  await edit.getByRole('button', { name: 'Save', exact: true }).click()
  const confirm = page.getByRole('dialog', { name: 'Confirm Update' })
  await expect(fact(confirm, 'Old value')).toHaveText('0.00%')
  const preview = confirm.getByRole('region', { name: 'Effect' })
  await expect(preview.getByText('Users whose fees are shared')).toBeVisible()
  // A fee of 0.48 USDT for 1.2 DCT of rewards; a fifth of it goes to the earner.
  await expect(preview.getByText('0.480000 USDT')).toBeVisible()
  await expect(preview.getByText('0.096000 USDT').first()).toBeVisible()
  await expect(preview.getByText(/^This percentage takes effect when another/)).toBeVisible()
  await expectAccessible(page, 'the preview')

  await confirm.getByRole('button', { name: 'Confirm', exact: true }).click()
  await expect(stepUp(page)).toBeVisible()
  await expectAccessible(page, 'the signature dialog')
  await stepUp(page).getByRole('button', { name: 'Cancel' }).click()
  await expect(toast(page, 'Please confirm with a wallet signature first.')).toBeVisible()
  await expect(confirm).toBeVisible()
  await confirm.getByRole('button', { name: 'Confirm', exact: true }).click()
  await signAgain(page)
  await expect(
    toast(page, /^Nothing has changed yet: the percentage takes effect when another admin sends/),
  ).toBeVisible()
  // Refused twice, then sent again after the signature.
  expect(callsOf(calls, 'PUT', RATE)).toHaveLength(3)

  // A dialog that closes goes one step back in the browser's history, which must not undo the next visit.
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.goto(APPROVALS)
  const own = part(page, 'Waiting for a second admin')
  await expect(own).toContainText('0.00% → 20.00%')
  await expect(own.getByText('Another admin must decide')).toBeVisible()
  await expect(own.getByRole('button')).toHaveText(['Withdraw'])

  const other = await visit({ as: second, path: APPROVALS, tolerates: FAILED_CALLS })
  const waiting = part(other.page, 'Waiting for a second admin')
  await waiting.getByRole('button', { name: 'Confirm as second admin' }).click()
  await signAgain(other.page)
  await expect(waiting.getByText('Nothing is waiting for a second admin.')).toBeVisible()
  const { user } = await earner.call<{ user: { referral_reward_percentage: string } }>(
    'GET',
    '/api/auth/me',
  )
  expect(user.referral_reward_percentage).toBe('20')
})

test('small steps of the price add up, and a step beyond the limit waits for the other admin', async ({
  visit,
}) => {
  const { page } = await visit({ as: first, path: PRICE, tolerates: FAILED_CALLS })
  const price = part(page, 'Price of DCT')
  const modal = page.getByRole('dialog', { name: 'Set the price of DCT' })
  const set = async (wanted: string) => {
    await price.getByLabel('New price (USDT for one DCT)').fill(wanted)
    await price.getByRole('button', { name: 'Set the price' }).click()
  }
  await set('1.15')
  await modal.getByRole('button', { name: 'Confirm', exact: true }).click()
  await signIfAsked(page, toast(page, 'The price is set.'))
  await set('1.21')
  await expect(modal).toContainText('Together with the changes of the last 24 hours')
  await modal.getByRole('button', { name: 'Confirm', exact: true }).click()
  await signIfAsked(page, toast(page, /^The price has not changed yet/))
  const own = part(page, 'Waiting for a second admin')
  await expect(own).toContainText('Another admin must decide')
  await expect(own.getByRole('button')).toHaveText(['Withdraw'])

  const other = await visit({ as: second, path: PRICE, tolerates: FAILED_CALLS })
  const waiting = part(other.page, 'Waiting for a second admin')
  await expect(waiting).toContainText('1.150000 USDT → 1.210000 USDT')
  await waiting.getByRole('button', { name: 'Confirm as second admin' }).click()
  await signIfAsked(other.page, toast(other.page, 'The price is set.'))
})

test('creating a plan asks for the signature before anything leaves the wallet', async ({
  visit,
  product,
}) => {
  const fresh = new OutsideHolder({ base: product.url, info: product.info, account: accounts[0] })
  await fresh.login()
  const { page, calls } = await visit({
    as: fresh,
    wallet: 'asking',
    path: '/admin/dashboard?tab=plans',
    tolerates: FAILED_CALLS,
  })
  await page.getByRole('button', { name: 'Add plan', exact: true }).click()
  for (const [label, value] of [
    ['Plan code', 'UNSIGNED'],
    ['Name', 'Unsigned'],
    ['Total reward (DCT)', '100'],
    ['Duration (days)', '30'],
    ['Total percentage (%)', '6'],
    ['Daily limit (DCT)', '10'],
  ] as const) {
    await page.getByLabel(label, { exact: true }).fill(value)
  }
  await page.getByRole('button', { name: 'Fund and create' }).click()
  await page.getByRole('button', { name: 'Fund 100.000000 DCT' }).click()
  await stepUp(page).getByRole('button', { name: 'Cancel' }).click()
  await expect(toast(page, 'Please confirm with a wallet signature first.')).toBeVisible()
  expect(callsOf(calls, 'POST', '/api/admin/earning-plans/open-on-chain')).toEqual([])
  expect(callsOf(calls, 'POST', '/api/admin/earning-plans')).toEqual([])
  expect(callsOf(calls, 'POST', '/api/admin/earning-plans/check')).not.toEqual([])
})

test('a large payout needs two admins, and the second approval sends it', async ({
  visit,
  product,
}) => {
  const { page } = await visit({
    as: first,
    path: '/admin/referral-claim-pool',
    tolerates: FAILED_CALLS,
  })
  await page.getByRole('button', { name: 'Approve', exact: true }).click()
  const modal = page.getByRole('dialog', { name: 'Confirm Approval', exact: true })
  await modal.getByRole('button', { name: 'Confirm', exact: true }).click()
  await signIfAsked(page, toast(page, /^Your approval has been recorded\./))

  await page.goto(APPROVALS)
  const own = part(page, 'Waiting for a second admin')
  await expect(own.getByTitle(earner.address)).toBeVisible()
  await expect(own.getByText('Another admin must decide')).toBeVisible()

  const other = await visit({ as: second, path: APPROVALS, tolerates: FAILED_CALLS })
  const waiting = part(other.page, 'Waiting for a second admin')
  await waiting.getByRole('button', { name: 'Confirm as second admin' }).click()
  await signIfAsked(other.page, toast(other.page, 'The claim is approved. The USDT is being sent.'))
  await expect(waiting.getByText('Nothing is waiting for a second admin.')).toBeVisible()
  expect(callsOf(other.calls, 'PUT', APPROVAL).length).toBeGreaterThan(0)
  await product.settle()
  const { referral_claim_pool: claims } = await earner.call<{
    referral_claim_pool: { state: string }[]
  }>('GET', '/api/user/referral-claim-pool-history')
  expect(claims.map(({ state }) => state)).toEqual(['paid'])
})

test('a case contains everything about a claim, stores notes, and is shown to support by a link', async ({
  visit,
}) => {
  const { page } = await visit({
    as: second,
    path: `${OPERATIONS}?tab=cases`,
    tolerates: FAILED_CALLS,
  })
  await page.getByLabel('Code or transaction hash').fill(feeHash)
  await page.getByRole('button', { name: 'Open', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: `Case ${code}` })).toBeVisible()
  await expect(fact(part(page, 'The claim'), 'Claimed')).toHaveText('1.200000 DCT')
  await expect(part(page, 'Payments').getByTitle(feeHash)).toBeVisible()
  await expect(part(page, 'Payments').getByText('Paid the fee')).toBeVisible()
  await expect(part(page, 'Payouts').getByText('Sent', { exact: true })).toHaveCount(2)
  await expect(part(page, 'On-chain events').getByText('Reward paid')).toHaveCount(2)
  const ledger = part(page, 'In the ledger')
  await expect(ledger.getByTitle('fee.paid')).toHaveText('Fee paid')
  await expect(ledger.getByTitle('fee_receiver').first()).toHaveText('Fee receiver')

  const notes = part(page, 'Notes')
  await notes.getByLabel('New note').fill('Holder asked about the second half.')
  await notes.getByRole('button', { name: 'Save the note' }).click()
  await expect(notes.getByText('Holder asked about the second half.')).toBeVisible()
  await expect(notes.getByLabel('New note')).toHaveValue('')

  const links = part(page, 'Links for support')
  await links.getByRole('button', { name: 'Create a link' }).click()
  const made = links.getByText(/\/support\/case\//)
  await signIfAsked(page, made)
  const address = new URL((await made.textContent()) ?? '')

  const support = await visit({ path: address.pathname })
  await expect(fact(part(support.page, 'The claim'), 'Claimed')).toHaveText('1.200000 DCT')
  await expect(part(support.page, 'Payouts').getByText('Sent', { exact: true })).toHaveCount(2)
  await expect(support.page.getByText('Holder asked')).toHaveCount(0)
  await expect(support.page.getByRole('region', { name: 'In the ledger' })).toHaveCount(0)

  await links.getByRole('button', { name: 'Revoke' }).click()
  await expect(links.getByText('Expired', { exact: true })).toBeVisible()
  const late = await visit({ path: address.pathname, tolerates: FAILED_CALLS })
  await expect(late.page.getByText('This link is invalid or has expired.')).toBeVisible()
})

test('a day is closed into one file with its hash', async ({ visit }) => {
  const { page } = await visit({
    as: first,
    path: `${CLOSE}&day=${claimDay}`,
    tolerates: FAILED_CALLS,
  })
  await expect(page.getByText('Everything agrees', { exact: true })).toBeVisible()
  const flow = (name: string) =>
    part(page, 'Chain and books').getByRole('row').filter({ hasText: name })
  await expect(flow('Rewards paid').locator('td').nth(2)).toHaveText('1.200000 DCT')
  await expect(flow('Rewards paid').locator('td').nth(3)).toHaveText('1.200000 DCT')
  await expect(flow('USDT to the fee receiver').locator('td').nth(1)).toHaveText('1')
  await page.getByRole('button', { name: 'Close this day' }).click()
  const hash = fact(page.getByRole('main'), 'SHA-256 of the file')
  await signIfAsked(page, hash)
  await expect(page.getByRole('button', { name: 'Close this day' })).toHaveCount(0)
  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Save the file' }).click()
  const download = await downloading
  expect(download.suggestedFilename()).toBe(`daily-close-${claimDay}.json`)
  const content = await readFile(await download.path())
  await expect(hash).toContainText(createHash('sha256').update(content).digest('hex'))
  await expect(
    part(page, 'Closed days').getByRole('button').locator(`time[datetime="${claimDay}"]`),
  ).toBeVisible()
})
