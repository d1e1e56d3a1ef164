import type { Page } from '@playwright/test'
import type { OutsideHolder } from '../outside/outside-client.ts'
import { callsOf } from '../support/calls.ts'
import type { Visit } from '../support/open-visit.ts'
import { FAILED_CALLS } from '../support/provoke.ts'
import { toast } from '../support/screens.ts'
import { installStrangeWallet, timesAsked } from '../support/strange-wallets.ts'
import { expect, test } from '../support/test.ts'
import { closePanel, openPanel } from '../support/wallet.ts'

const NO_ANSWER = 'Tronlink does not respond.Make sure you have logged in on Tronlink.'

let holder: OutsideHolder
test.beforeAll(async ({ product }) => {
  holder = await product.holder()
})

const connect = (page: Page) => page.getByRole('button', { name: 'Connect the tronlink' })

test('[ERR-03] connecting without the extension', async ({ visit }) => {
  const { page } = await visit()
  await connect(page).click()
  await expect(toast(page, 'Please install tronlink first!')).toBeVisible()
})

test('[ERR-04] a wallet that shows no account after connecting', async ({ visit }) => {
  const { page } = await visit({ before: (fresh) => installStrangeWallet(fresh, 'empty') })
  await connect(page).click()
  await expect(
    toast(page, 'Tronlink does not provide account access.Make sure you are logged in.'),
  ).toBeVisible()
})

/** Presses "Connect", then advances the page's clock to just before and past the last attempt. */
async function runOutOfTries({ page, toasts }: Pick<Visit, 'page' | 'toasts'>) {
  await page.clock.pauseAt(new Date(Date.now() + 60_000))
  await connect(page).click()
  for (let second = 0; second < 9; second += 1) await page.clock.runFor(1_000)
  expect(toasts).toEqual([])
  await page.clock.runFor(1_100)
  await expect(toast(page, NO_ANSWER)).toBeVisible()
}

test('[ERR-05, FEE-20] a failing wallet is asked again every second, ten times in total', async ({
  visit,
}) => {
  const visited = await visit({
    before: async (fresh) => {
      await fresh.clock.install()
      await installStrangeWallet(fresh, 'failing')
    },
  })
  const { page } = visited
  await runOutOfTries(visited)
  const asked = await timesAsked(page)
  expect(asked).toHaveLength(10)
  expect(asked.slice(1).map((time, index) => time - (asked[index] ?? 0))).toEqual(
    Array.from({ length: 9 }, () => 1_000),
  )
  await page.clock.runFor(30_000)
  expect(await timesAsked(page)).toHaveLength(10)
})

test('[ERR-05, FEE-20] a silent wallet is abandoned after ten seconds', async ({ visit }) => {
  const visited = await visit({
    before: async (fresh) => {
      await fresh.clock.install()
      await installStrangeWallet(fresh, 'silent')
    },
  })
  await runOutOfTries(visited)
  const { page } = visited
  await connect(page).click()
  await page.clock.runFor(100)
  await page.getByRole('button', { name: 'Stop waiting' }).click()
  await page.clock.runFor(100)
  await expect(connect(page), 'the wait can be ended at once').toBeEnabled()
})

test('[ERR-06] a signature is requested from a wallet that has been disconnected', async ({
  visit,
}) => {
  const { page, calls } = await visit({ as: holder, isSignedIn: false })
  await expect(page.getByText(holder.address)).toBeVisible()
  await page.route('**/api/auth/challenge', async (route) => {
    const panel = await openPanel(page)
    await panel.getByRole('checkbox', { name: 'Site connected' }).uncheck()
    await closePanel(panel)
    await route.continue()
  })
  await page.getByRole('button', { name: 'Login', exact: true }).click()
  await expect(toast(page, 'TronLink is not connected. Please connect your wallet.')).toBeVisible()
  expect(callsOf(calls, 'POST', '/api/auth/login')).toEqual([])
})

test('[ERR-09] a node that answers "too many requests" leaves the page usable', async ({
  visit,
}) => {
  const { page } = await visit({
    as: holder,
    path: '/dashboard',
    tolerates: FAILED_CALLS,
    before: (fresh) =>
      fresh.route('**/tron/**', (route) => route.fulfill({ status: 429, body: 'Slow down' })),
  })
  await expect(toast(page, 'Failed to retrieve balances.')).toBeVisible()
  await page.getByRole('tab', { name: 'Claim Reward' }).click()
  await expect(page.getByText('No reward can be claimable')).toBeVisible()
  await page.unrouteAll()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByText('1,000.000000 DCT')).toBeVisible()
})
