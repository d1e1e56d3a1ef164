import { EventEmitter } from 'node:events'
import { beforeEach, expect, test, vi } from 'vitest'
import { memory } from '../../testing/memory.ts'
import type { ConnectGuide } from '../found-wallet.ts'
import { connectionThrough } from './walletconnect-connection.ts'

const [ALICE, BOB, CAROL] = ['TAlice', 'TBob', 'TCarol']
const CHAIN = 'tron:0x2b6653dc'

class Client extends EventEmitter {
  sessions: object[] = []
  asked: object[] = []
  session = { getAll: () => this.sessions }
  approve: (session: object) => void = () => undefined
  async connect() {
    const approval = () =>
      new Promise<object>((resolve) => {
        this.approve = (session) => {
          this.sessions.push(session)
          resolve(session)
        }
      })
    return { uri: 'wc:1', approval }
  }
  async request({ request }: { request: { params: object } }) {
    this.asked.push(request.params)
    return { signature: '0x00' }
  }
}
let client = new Client()
beforeEach(() => {
  client = new Client()
})

const sharing = (...addresses: string[]) => ({
  topic: 't',
  peer: { metadata: { name: 'Phone' } },
  namespaces: {
    tron: {
      accounts: addresses.map((address) => `${CHAIN}:${address}`),
      methods: ['tron_signMessage'],
    },
  },
})

async function connected(session: object, picked?: string) {
  const kept = memory()
  const again = () => connectionThrough(client as never, { chain: CHAIN, memory: kept })
  const connection = again()
  const offered: unknown[] = []
  const guide = {
    signal: new AbortController().signal,
    showLink: () => undefined,
    pickAccount: async (addresses: string[]) => {
      offered.push(addresses)
      return picked ?? ''
    },
  } as unknown as ConnectGuide
  const connecting = connection.connect(guide)
  await vi.waitFor(() => {
    client.approve(session)
    expect(client.sessions).not.toEqual([])
  })
  await connecting
  return { connection, offered, again }
}

test('of several shared accounts one is chosen, signs, and stays chosen after a reload', async () => {
  const { connection, offered, again } = await connected(sharing(ALICE, BOB), BOB)
  expect(offered).toEqual([[ALICE, BOB]])
  expect(connection.address()).toBe(BOB)
  await connection.signMessage('hello')
  expect(client.asked).toEqual([{ address: BOB, message: 'hello' }])
  expect(again().address()).toBe(BOB)
})

test('a single account needs no choice', async () => {
  const { connection, offered } = await connected(sharing(ALICE))
  expect(offered).toEqual([])
  expect(connection.address()).toBe(ALICE)
})

test.each([[[BOB]], [[`${CHAIN}:${BOB}`]], [BOB]])(
  'a switch of accounts in the wallet is followed, named as %j',
  async (data) => {
    const { connection } = await connected(sharing(ALICE, BOB), ALICE)
    const onChange = vi.fn()
    const stop = connection.follow(onChange)
    const tell = (next: unknown) =>
      client.emit('session_event', {
        topic: 't',
        params: { event: { name: 'accountsChanged', data: next }, chainId: CHAIN },
      })
    tell(data)
    expect(connection.address()).toBe(BOB)
    expect(onChange).toHaveBeenCalledTimes(1)
    tell([CAROL])
    tell(undefined)
    expect(connection.address()).toBe(BOB)
    stop()
    tell([ALICE])
    expect(connection.address()).toBe(BOB)
  },
)

test('an account that the wallet no longer shares is left, and an ended session shows none', async () => {
  const { connection } = await connected(sharing(ALICE, BOB), BOB)
  client.sessions = [sharing(CAROL)]
  expect(connection.address()).toBe(CAROL)
  client.sessions = []
  expect(connection.address()).toBeUndefined()
})
