import type { Page } from '@playwright/test'
import type { FailureMeaning } from '../../apps/web/src/shared/chain/read-failure.ts'
import { WALLET_REPLIES } from '../../apps/web/src/shared/chain/testing/wallet-replies.ts'
import type { OutsideHolder } from '../outside/outside-client.ts'
import {
  haveWalletsThrow,
  installAnsweringWallets,
  takeAsked,
} from '../support/answering-wallet.ts'
import { callsOf } from '../support/calls.ts'
import { withOpenFee } from '../support/scenes.ts'
import { fillJoin, openPayDialog, pressJoin, untilLoaded } from '../support/screens.ts'
import { expect, test } from '../support/test.ts'

/** Every wording takes two presses or more. */
test.setTimeout(400_000)

const REFUSED = /^You declined the request in the wallet\. It was not sent\.$/
/** What a page says of each meaning on Tron, where wallets only sign: nothing can have been sent. */
const ON_TRON: Readonly<Partial<Record<FailureMeaning, RegExp>>> = {
  refused: REFUSED,
  busy: /^Your wallet is already showing a request\./,
  locked: /^The wallet is locked\./,
  notConnected: /^TronLink is not connected\./,
  disconnected: /^TronLink is not connected\./,
  unknownNetwork: /^Your wallet is on another network\./,
  otherNetwork: /^Your wallet is on another network\./,
  otherAccount: /^The wallet has chosen another account\./,
  expired: /^The request was not answered in the wallet in time\./,
  gone: /^The wallet was updated in the meantime\./,
  cutOff: /^The connection to the wallet was lost\./,
}
/** What it says on BSC, where wallets send: of all others it does not know. */
const ON_BSC: Readonly<Partial<Record<FailureMeaning, RegExp>>> = {
  refused: /^You declined the payment in the wallet\. Nothing was sent\.$/,
  busy: /^Your wallet is already showing a request\./,
  locked: /^The wallet did not provide an account\./,
  notConnected: /^The wallet did not provide an account\./,
  otherAccount: /^The wallet did not provide an account\./,
  unknownNetwork: /Nothing was sent\.$/,
  otherNetwork: /Nothing was sent\.$/,
  noFunds: /does not hold enough BNB .* Nothing was sent\.$/,
  unsupported: /Nothing was sent\.$/,
  wouldFail: /Nothing was sent\.$/,
  gone: /Nothing was sent\.$/,
}
const MAY_BE_SENT = /may (still )?(have sent|send)|pays twice|Check its history/

const walletsOf =
  (holder: OutsideHolder, isConnected = true) =>
  (page: Page) =>
    installAnsweringWallets(page, {
      tron: holder.address,
      bsc: holder.account.bsc_address,
      bscNode: holder.info.bsc.rpc,
      isConnected,
    })

test('whatever words a Tron wallet refuses to sign a login in, the page says what they mean', async ({
  visit,
  product,
}) => {
  const holder = await product.holder()
  const { page, toasts, calls } = await visit({
    ...{ as: holder, wallet: 'absent', isSignedIn: false, before: walletsOf(holder) },
  })
  for (const { meaning, wallet, thrown } of WALLET_REPLIES) {
    await haveWalletsThrow(page, thrown)
    toasts.length = 0
    await page.getByRole('button', { name: 'Login', exact: true }).click()
    const said = expect.poll(() => toasts.at(-1) ?? '', { message: wallet })
    await said.toMatch(ON_TRON[meaning] ?? /./)
    expect(await takeAsked(page), wallet).toEqual(['signMessage'])
  }
  expect(callsOf(calls, 'POST', '/api/auth/login')).toEqual([])
})

/** The first of each meaning and shape: every press of a lock reads the chain anew. */
const SHAPES = [
  ...new Map(
    WALLET_REPLIES.map((reply) => {
      const shape = reply.thrown instanceof Error ? 'error' : typeof reply.thrown
      return [`${reply.meaning} as ${shape}`, reply] as const
    }).toReversed(),
  ).values(),
]

test('whatever a Tron wallet refuses a lock with, nothing is sent, nor said to be possibly sent', async ({
  visit,
  product,
}) => {
  const holder = await product.holder()
  const { page, toasts, calls } = await visit({
    ...{ as: holder, wallet: 'absent', path: '/dashboard?tab=join', before: walletsOf(holder) },
  })
  await fillJoin(page, { plan: 'PLAN-360', amount: '10' })
  await untilLoaded(page)
  for (const { meaning, wallet, thrown } of SHAPES) {
    await haveWalletsThrow(page, thrown)
    toasts.length = 0
    await pressJoin(page)
    const said = expect.poll(() => toasts.at(-1) ?? '', { message: wallet })
    await said.toMatch(ON_TRON[meaning] ?? /./)
    expect(toasts.join(), wallet).not.toMatch(MAY_BE_SENT)
    expect(await takeAsked(page), wallet).toEqual(['sign'])
  }
  expect(callsOf(calls, 'POST', '/tron/wallet/broadcasttransaction')).toEqual([])
  expect(await holder.call('GET', '/api/user/money-steps')).toEqual({ steps: [] })
})

test('whatever words a Tron wallet refuses to connect in, the page says what they mean', async ({
  visit,
  product,
}) => {
  const holder = await product.holder()
  const { page, toasts } = await visit({
    async before(fresh) {
      await fresh.clock.install()
      await walletsOf(holder, false)(fresh)
    },
  })
  for (const { meaning, wallet, thrown } of WALLET_REPLIES) {
    await haveWalletsThrow(page, thrown)
    toasts.length = 0
    await page.getByRole('button', { name: 'Connect the tronlink' }).click()
    // Whatever may pass is asked for ten times, every second.
    const mayPass = ON_TRON[meaning] === undefined || meaning === 'cutOff'
    if (mayPass) await page.clock.runFor(10_500)
    const said = expect.poll(() => toasts.at(-1) ?? '', { message: wallet })
    await said.toMatch(mayPass ? /^Tronlink does not respond\./ : (ON_TRON[meaning] ?? /x/))
    expect(await takeAsked(page), wallet).toHaveLength(mayPass ? 10 : 1)
  }
})

test('whatever words a BSC wallet refuses in, a payment that cannot have left is never said to be possibly sent', async ({
  visit,
  product,
}) => {
  const { holder } = await withOpenFee(product)
  const { page, toasts } = await visit({
    ...{ as: holder, wallet: 'absent', path: '/dashboard', before: walletsOf(holder) },
  })
  const { dialog } = await openPayDialog(page, 'PLAN-720')
  const pay = dialog.getByRole('button', { name: /^Pay .* with Test Wallet$/ })
  const certain = WALLET_REPLIES.filter(({ meaning }) => ON_BSC[meaning] !== undefined)
  const unclear = WALLET_REPLIES.filter(({ meaning }) => ON_BSC[meaning] === undefined)
  for (const { meaning, wallet, thrown } of certain) {
    await haveWalletsThrow(page, thrown)
    toasts.length = 0
    await pay.click()
    await expect
      .poll(() => toasts.at(-1) ?? '', { message: wallet })
      .toMatch(ON_BSC[meaning] ?? /x/)
    expect(await takeAsked(page), wallet).toEqual(['send'])
    await expect(dialog, wallet).not.toContainText(MAY_BE_SENT)
  }
  expect(await holder.call('GET', '/api/user/money-steps')).toEqual({ steps: [] })

  for (const [index, { wallet, thrown }] of unclear.entries()) {
    await haveWalletsThrow(page, thrown)
    toasts.length = 0
    if (index === 0) await pay.click()
    else {
      // Of every earlier one it is asked whether to go on.
      await pay.click()
      await expect(dialog, wallet).toContainText(MAY_BE_SENT)
      expect(await takeAsked(page), wallet).toEqual([])
      await dialog.getByRole('button', { name: /^I have checked/ }).click()
    }
    await expect.poll(() => toasts.at(-1) ?? '', { message: wallet }).toMatch(MAY_BE_SENT)
    expect(await takeAsked(page), wallet).toEqual(['send'])
  }
})
