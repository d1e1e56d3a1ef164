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

const failing = (...keys: string[]) => {
  const get = () => {
    throw new Error('a getter that fails')
  }
  return Object.defineProperties({}, Object.fromEntries(keys.map((key) => [key, { get }])))
}

test.each([
  ['no id', { name: 'Wallet' }],
  ['an id of another type', { uuid: 5, name: 'Wallet' }],
  ['no name', { uuid: '1', rdns: 'Wallet' }],
  ['an icon of another type', { uuid: '1', name: 'Wallet', icon: {} }],
  ['an icon that fails', Object.assign(failing('icon'), { uuid: '1', name: 'Wallet' })],
])('an announcement with %s is listed', (_case, info) => {
  const win: EvmWindow = new EventTarget()
  const { names } = watched(win)
  announce(win, info)
  expect(names()).toEqual(['Wallet'])
})

test('announcements that cannot be used, and a global object that fails, hide no wallet', () => {
  const win: EvmWindow = Object.assign(new EventTarget())
  Object.defineProperties(win, Object.getOwnPropertyDescriptors(failing('ethereum')))
  const { names } = watched(win)
  for (const detail of [undefined, null, 5, { info: failing('uuid', 'name') }, failing('info')]) {
    win.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))
  }
  announce(win, failing('uuid', 'name', 'icon', 'rdns'))
  announce(win, { uuid: '1', name: 'Wallet' }, failing('request'))
  announce(win, { uuid: '2', name: 'Good Wallet' })
  expect(names()).toEqual(['Good Wallet'])
})
