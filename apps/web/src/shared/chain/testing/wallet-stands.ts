import { EventEmitter } from 'node:events'
import type { InjectedTronWeb, UnsignedTransaction, WalletWindow } from '../injected.ts'

export const ALICE = 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8'
export const ORIGIN = 'http://localhost:3000'

type Person = { address: string; isConnected: boolean; answer: () => unknown }

/** A fake wallet that behaves like the real one, together with its user. */
export type Stand = {
  person: Person
  /** Notifies the page of another account, in the wallet's own way. */
  switchTo(address: string): void
  /** Switches the network: wallets then put a new TronWeb into the page. */
  renewTronWeb(): void
}

function tronWebOf(person: Person, node: string): InjectedTronWeb {
  return {
    get defaultAddress() {
      return { base58: person.isConnected && person.address }
    },
    trx: {
      signMessageV2: async (text: string) => `${person.address} signs ${text} on ${node}`,
      sign: async (transaction: UnsignedTransaction) => ({ ...transaction, signature: [node] }),
    },
  } as InjectedTronWeb
}

function newPerson(): Person {
  return { address: ALICE, isConnected: false, answer: () => 'yes' }
}

async function ask(person: Person, granted: (address: string) => unknown): Promise<unknown> {
  const answer = await person.answer()
  if (answer !== 'yes') return answer
  person.isConnected = true
  return granted(person.address)
}

/** A wallet that exposes TronLink's interface under its own global object. */
function tronLinkAt(win: WalletWindow, place: 'okxwallet' | 'trustwallet'): Stand {
  const person = newPerson()
  const own = {
    ready: true,
    tronWeb: tronWebOf(person, 'first'),
    request: () => ask(person, () => ({ code: 200 })),
  }
  win[place] = { tronLink: own }
  return {
    person,
    switchTo(address) {
      person.address = address
      const message = { action: 'accountsChanged', data: { address } }
      win.dispatchEvent(new MessageEvent('message', { data: { message }, origin: ORIGIN }))
    },
    renewTronWeb: () => {
      own.tronWeb = tronWebOf(person, 'second')
    },
  }
}

export const okx = (win: WalletWindow) => tronLinkAt(win, 'okxwallet')
export const trust = (win: WalletWindow) => tronLinkAt(win, 'trustwallet')

export function bitget(win: WalletWindow): Stand {
  const person = newPerson()
  const own = {
    get ready() {
      return person.isConnected
    },
    tronWeb: tronWebOf(person, 'first'),
    request: () => ask(person, () => ({ code: 200 })),
  }
  const bitkeep = { tronLink: own, tronWeb: own.tronWeb }
  Object.assign(win, { bitkeep, isBitKeep: true, tronLink: own, tronWeb: own.tronWeb })
  return {
    person,
    switchTo(address) {
      person.address = address
      const data = { isTronLink: true, message: { action: 'setAccount', data: { address } } }
      win.dispatchEvent(new MessageEvent('message', { data, origin: ORIGIN }))
    },
    renewTronWeb() {
      own.tronWeb = tronWebOf(person, 'second')
      bitkeep.tronWeb = own.tronWeb
      win.tronWeb = own.tronWeb
    },
  }
}

export function tokenPocket(win: WalletWindow): Stand {
  const person = newPerson()
  class Provider extends EventEmitter {
    tronWeb: InjectedTronWeb | false = false
    request() {
      return ask(person, (address) => {
        this.tronWeb ||= tronWebOf(person, 'first')
        return [address]
      })
    }
  }
  const provider = new Provider()
  const detail = { info: { name: 'TokenPocket', uuid: 'u', icon: '', rdns: 'r' }, provider }
  win.addEventListener('TIP6963:requestProvider', () =>
    win.dispatchEvent(new CustomEvent('TIP6963:announceProvider', { detail })),
  )
  return {
    person,
    switchTo(address) {
      person.address = address
      provider.emit('accountsChanged', [address])
    },
    renewTronWeb: () => {
      provider.tronWeb = tronWebOf(person, 'second')
    },
  }
}

export function oneKey(win: WalletWindow): Stand {
  const person = newPerson()
  const own = Object.assign(new EventEmitter(), {
    ready: true,
    tronWeb: tronWebOf(person, 'first'),
    request: () => ask(person, () => ({ code: 200 })),
  })
  win.$onekey = { tron: own }
  return {
    person,
    switchTo(address) {
      person.address = address
      own.emit('accountsChanged')
    },
    renewTronWeb: () => {
      own.tronWeb = tronWebOf(person, 'second')
    },
  }
}

/** imToken's app: its account is shown to every page, and a change of account or network loads the page again. */
export function imToken(win: WalletWindow): { person: Person } {
  const person = { ...newPerson(), isConnected: true }
  const tronWeb = Object.assign(tronWebOf(person, 'first'), { ready: true })
  Object.assign(win, { imToken: {}, tronWeb })
  return { person }
}
