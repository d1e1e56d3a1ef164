import { expect, test } from 'vitest'
import { type EvmWallet, type EvmWindow, watchEvmWallets } from './evm-wallets.ts'

const request = async () => undefined

function announce(win: EventTarget, info: object, provider: object = { request }) {
  const detail = { info, provider }
  win.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))
}
function watched(win: EvmWindow) {
  let latest: readonly EvmWallet[] = []
  const stop = watchEvmWallets(win, (wallets) => {
    latest = wallets
  })
  return { stop, names: () => latest.map(({ name }) => name), latest: () => latest }
}

test('announced wallets are listed once each; only inline icons are used', () => {
  const win: EvmWindow = new EventTarget()
  win.addEventListener('eip6963:requestProvider', () => {
    announce(win, { uuid: '1', name: 'OKX Wallet', icon: 'data:image/png;base64,AA' })
    announce(win, { uuid: '1', name: 'OKX Wallet' })
    announce(win, { uuid: '2', name: 'Other', icon: 'https://tracker.example/a.png' })
    announce(win, { name: 'no id' })
    announce(win, { uuid: '3', name: 'no provider' }, {})
  })
  const { names, latest } = watched(win)
  expect(names()).toEqual(['OKX Wallet', 'Other'])
  expect(latest().map(({ icon }) => icon)).toEqual(['data:image/png;base64,AA', undefined])
})

test('the legacy global object is used only when no wallet has announced itself', () => {
  const win: EvmWindow = Object.assign(new EventTarget(), { ethereum: { request } })
  const { names, stop } = watched(win)
  expect(names()).toEqual(['Browser wallet'])
  announce(win, { uuid: '1', name: 'Late Wallet' })
  expect(names()).toEqual(['Late Wallet'])
  stop()
  announce(win, { uuid: '2', name: 'Too late' })
  expect(names()).toEqual(['Late Wallet'])
})
