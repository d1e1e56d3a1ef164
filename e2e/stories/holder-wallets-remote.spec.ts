import type { Page } from '@playwright/test'
import type { OutsideHolder } from '../outside/outside-client.ts'
import { plugInLedger } from '../support/ledger-device.ts'
import { installMetaMask } from '../support/metamask-extension.ts'
import { fillJoin, pressJoin, tab, toast } from '../support/screens.ts'
import { expect, test } from '../support/test.ts'
import { walletConnectWallet } from '../support/walletconnect-wallet.ts'

const chooser = (page: Page) => page.getByRole('dialog', { name: 'Choose a wallet' })
const logIn = (page: Page) => page.getByRole('button', { name: 'Login', exact: true }).click()

async function openChooser(page: Page) {
  await page.getByRole('button', { name: 'Other wallets' }).click()
  await expect(chooser(page)).toBeVisible()
}

/** Records which code for wallets outside the browser the page has fetched. */
function recordCode(page: Page): string[] {
  const fetched: string[] = []
  page.on('request', (request) => {
    const [name] = /(ledger|metamask|walletconnect)-connection/.exec(request.url()) ?? []
    if (name) fetched.push(name)
  })
  return fetched
}

async function joinAndLock(page: Page) {
  await page.waitForURL('**/dashboard*')
  await tab(page, 'Join Earning Plan').click()
  await fillJoin(page, { plan: 'PLAN-360', amount: '10' })
  await pressJoin(page)
  await expect(toast(page, 'You joined PLAN-360: 10 DCT are locked.')).toBeVisible()
}

const visitWithout = (holder: OutsideHolder) =>
  ({ as: holder, isSignedIn: false, wallet: 'absent' }) as const

test('Ledger: choose an account of the device, sign in and join; the device’s refusals are explained', async ({
  visit,
  product,
}) => {
  const holder = await product.holder()
  let person = { approves: true, allowsSignByHash: false }
  let fetched: string[] = []
  const { page } = await visit({
    ...visitWithout(holder),
    async before(fresh) {
      fetched = recordCode(fresh)
      person = await plugInLedger(fresh, holder.account)
    },
  })
  await openChooser(page)
  expect(fetched).toEqual([])
  await chooser(page).getByRole('button', { name: 'Ledger USB device' }).click()
  const device = page.getByRole('dialog', { name: 'Connect your Ledger' })
  await device.getByRole('button', { name: 'Find my accounts' }).click()
  await device.getByRole('button', { name: holder.address }).click()
  await expect(page.getByText('Connected with Ledger')).toBeVisible()
  expect(new Set(fetched)).toEqual(new Set(['ledger-connection']))

  person.allowsSignByHash = false
  await logIn(page)
  await expect(toast(page, /switch on “Sign by Hash”/)).toBeVisible()
  Object.assign(person, { allowsSignByHash: true, approves: false })
  await logIn(page)
  await expect(toast(page, /You declined the request/)).toBeVisible()
  person.approves = true
  await logIn(page)
  await joinAndLock(page)

  await page.reload()
  await expect(page.getByRole('article', { name: 'PLAN-360' }).first()).toBeVisible()
  await expect(page.getByText('but you are logged in as')).toHaveCount(0)
})

test('MetaMask: its Tron account connects, signs in and joins', async ({ visit, product }) => {
  const holder = await product.holder()
  let called: string[] = []
  let fetched: string[] = []
  const { page } = await visit({
    ...visitWithout(holder),
    async before(fresh) {
      fetched = recordCode(fresh)
      called = await installMetaMask(fresh, holder.account)
    },
  })
  await openChooser(page)
  expect(fetched).toEqual([])
  await chooser(page).getByRole('button', { name: 'MetaMask Found' }).click()
  await expect(page.getByText('Connected with MetaMask')).toBeVisible()
  await logIn(page)
  await joinAndLock(page)
  expect(called).toEqual(['signMessage', 'signTransaction', 'signTransaction'])
})

test('WalletConnect: a wallet that scans the code connects, signs in and joins', async ({
  visit,
  product,
}) => {
  const holder = await product.holder()
  let wallet: Awaited<ReturnType<typeof walletConnectWallet>> | undefined
  const { page } = await visit({
    ...visitWithout(holder),
    // Its calls to hosts other than the relay are not answered here.
    tolerates: /walletconnect/i,
    async before(fresh) {
      wallet = await walletConnectWallet(fresh, holder.account)
    },
  })
  await openChooser(page)
  await chooser(page).getByRole('button', { name: 'WalletConnect Scan a code' }).click()
  const scan = page.getByRole('dialog', { name: 'Scan with your wallet' })
  await expect(scan.getByRole('img', { name: 'Code for your wallet' })).toBeVisible()
  const link = scan.getByRole('link', { name: 'Open a wallet on this device' })
  await wallet?.scan((await link.getAttribute('href')) ?? '')
  await expect(page.getByText('Connected with WalletConnect')).toBeVisible()
  await logIn(page)
  await joinAndLock(page)
  expect(wallet?.called).toEqual([
    'tron_signMessage',
    'tron_signTransaction',
    'tron_signTransaction',
  ])
  await wallet?.stop()
})

test('WalletConnect: for a wallet that cannot sign version 2 messages, a message names it and what to do', async ({
  visit,
  product,
}) => {
  const holder = await product.holder()
  let wallet: Awaited<ReturnType<typeof walletConnectWallet>> | undefined
  const { page } = await visit({
    ...visitWithout(holder),
    tolerates: /walletconnect/i,
    async before(fresh) {
      const methods = ['tron_signTransaction']
      wallet = await walletConnectWallet(fresh, holder.account, { methods })
    },
  })
  await openChooser(page)
  await chooser(page).getByRole('button', { name: 'WalletConnect Scan a code' }).click()
  const link = page.getByRole('link', { name: 'Open a wallet on this device' })
  await wallet?.scan((await link.getAttribute('href')) ?? '')
  await expect(page.getByText('Connected with WalletConnect')).toBeVisible()
  await logIn(page)
  await expect(toast(page, /Phone wallet cannot sign the message that logs you in/)).toBeVisible()
  expect(wallet?.called).toEqual([])
  await wallet?.stop()
})

test('without a project the chooser offers no WalletConnect, and giving up on a device returns to the list', async ({
  visit,
  product,
}) => {
  const holder = await product.holder()
  const { page, toasts } = await visit({
    ...visitWithout(holder),
    before: (fresh) => plugInLedger(fresh, holder.account),
  })
  await openChooser(page)
  await expect(chooser(page).getByText('WalletConnect')).toHaveCount(0)
  await chooser(page).getByRole('button', { name: 'Ledger USB device' }).click()
  const device = page.getByRole('dialog', { name: 'Connect your Ledger' })
  await device.getByRole('button', { name: 'Choose another wallet' }).click()
  await expect(chooser(page).getByRole('button', { name: 'Ledger USB device' })).toBeEnabled()
  expect(toasts).toEqual([])
})
