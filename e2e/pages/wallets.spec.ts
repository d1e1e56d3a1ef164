import type { Page } from '@playwright/test'
import { toast } from '../support/screens.ts'
import { expect, test } from './support/test.ts'

/** Injects wallets like their extensions: some announced, some only as objects. All decline. */
async function installWallets(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const asked: string[] = []
    const declining = (name: string) => ({
      async request() {
        asked.push(name)
        throw Object.assign(new Error('no'), { code: 4001 })
      },
    })
    const announced = {
      info: { uuid: '1', name: 'TokenPocket' },
      provider: declining('TokenPocket'),
    }
    window.addEventListener('TIP6963:requestProvider', () => {
      const event = new CustomEvent('TIP6963:announceProvider', { detail: announced })
      window.dispatchEvent(event)
    })
    Object.assign(window, {
      askedWallets: asked,
      okxwallet: { tronLink: declining('OKX Wallet') },
      bitkeep: { tronLink: declining('Bitget Wallet') },
    })
  })
}

const connect = (page: Page) => page.getByRole('button', { name: 'Connect the tronlink' })

test('several wallets are offered in one dialog, and the chosen one is used', async ({ visit }) => {
  const { page } = await visit({ before: installWallets })
  await connect(page).click()
  const dialog = page.getByRole('dialog', { name: 'Choose a wallet' })
  for (const name of ['TokenPocket', 'OKX Wallet', 'Bitget Wallet']) {
    await expect(dialog.getByRole('button', { name: `${name} Found` })).toBeVisible()
  }
  await expect(dialog.getByRole('link', { name: 'Get TronLink' })).toBeVisible()
  await dialog.getByRole('button', { name: 'OKX Wallet Found' }).click()
  await expect(
    toast(page, 'You declined the request in the wallet. It was not sent.'),
  ).toBeVisible()
  expect(await page.evaluate(() => Reflect.get(window, 'askedWallets'))).toEqual(['OKX Wallet'])
  await expect(dialog).toBeVisible()
})

test('without a wallet the dialog shows where to get one; on a phone each opens its app', async ({
  visit,
}) => {
  const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
  const { page } = await visit({ context: phone })
  await expect(page.getByRole('alert')).toBeVisible()
  await page.getByRole('button', { name: 'Other wallets' }).click()
  const dialog = page.getByRole('dialog', { name: 'Choose a wallet' })
  await expect(dialog).toContainText('No wallet was found in this browser.')
  for (const [name, scheme] of [
    ['TronLink', /^tronlinkoutside:/],
    ['OKX Wallet', /^okx:/],
    ['Bitget Wallet', /^https:\/\/bkcode\.vip/],
    ['TokenPocket', /^tpdapp:/],
    ['Trust Wallet', /^https:\/\/link\.trustwallet\.com/],
    ['imToken', /^imtokenv2:/],
    ['MetaMask', /^https:\/\/link\.metamask\.io\/dapp\//],
  ] as const) {
    await expect(dialog.getByRole('link', { name: `Get ${name}` })).toBeVisible()
    await expect(dialog.getByRole('link', { name: `Open in ${name}` })).toHaveAttribute(
      'href',
      scheme,
    )
  }
})
