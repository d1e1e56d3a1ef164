import { decodeFunctionData, encodeAbiParameters, parseAbi } from 'viem'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { WALLET_REPLIES } from '../chain/testing/wallet-replies.ts'
import type { EvmProvider } from './evm-wallets.ts'
import { PaymentError, sendToken } from './send-token.ts'

const OWNER = `0x${'11'.repeat(20)}`
const TOKEN = `0x${'55'.repeat(20)}`
const RECEIVER = '0xAbCd000000000000000000000000000000001234'
const HASH = `0x${'ab'.repeat(32)}`
const payment = {
  network: { chainId: 56, name: 'BSC', rpc: 'https://rpc', explorer: 'https://scan' },
  token: TOKEN,
  to: RECEIVER,
  amount: 1_314_159n * 10n ** 12n,
}
beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

type Asked = { method: string; params: readonly unknown[] }

/** A wallet with 5 USDT on `chainId`; `answers` overrides its replies to some methods. */
function wallet(chainId: number, answers: Record<string, (asked: Asked) => unknown> = {}) {
  const asked: Asked[] = []
  let present = chainId
  const usual: typeof answers = {
    eth_requestAccounts: () => [OWNER],
    eth_accounts: () => [OWNER],
    eth_chainId: () => `0x${present.toString(16)}`,
    wallet_switchEthereumChain: () => {
      present = 56
      return null
    },
    eth_call: () => encodedUint(5n * 10n ** 18n),
    eth_sendTransaction: () => HASH,
    ...answers,
  }
  const provider: EvmProvider = {
    request: async ({ method, params = [] }) => {
      asked.push({ method, params })
      return usual[method]?.({ method, params })
    },
  }
  return { provider, asked, methods: () => asked.map(({ method }) => method) }
}
function encodedUint(value: bigint): string {
  return encodeAbiParameters([{ type: 'uint256' }], [value])
}
/** Answers with the first ones in turn, or fails with them, and with the last one from then on. */
function late(first: readonly unknown[], last: unknown): () => unknown {
  const left = [...first]
  return () => {
    const next = left.length > 0 ? left.shift() : last
    if (next instanceof Error) throw next
    return next
  }
}
const refusal = (code: number) => () => {
  throw Object.assign(new Error('no'), { code })
}
/** The end of sending: the hash, or the error. Lets time pass for as long as the sender looks again. */
const endOf = async (...sent: Parameters<typeof sendToken>): Promise<unknown> => {
  const end = sendToken(...sent).catch((thrown: unknown) => thrown)
  await vi.advanceTimersByTimeAsync(10_000)
  return end
}
const errorOf = async (...sent: Parameters<typeof sendToken>): Promise<PaymentError> => {
  const end = await endOf(...sent)
  if (!(end instanceof PaymentError)) throw new Error(`it ended with ${end}`)
  return end
}
const problemOf = async (provider: EvmProvider) => (await errorOf(provider, payment)).problem
const throwing = (thrown: unknown) => () => {
  throw thrown
}

test('a wallet on BSC is asked for a single transfer of exactly the amount', async () => {
  const { provider, asked, methods } = wallet(56)
  expect(await endOf(provider, payment)).toBe(HASH)
  expect(methods()).toEqual([
    'eth_requestAccounts',
    'eth_chainId',
    'eth_call',
    'eth_sendTransaction',
  ])
  const [sent] = (asked.at(-1)?.params ?? []) as [{ data: `0x${string}` }]
  expect(sent).toMatchObject({ from: OWNER, to: TOKEN, value: '0x0', chainId: '0x38' })
  const abi = parseAbi(['function transfer(address to, uint256 amount)'])
  expect(decodeFunctionData({ abi, data: sent.data }).args).toEqual(
    [RECEIVER.toLowerCase(), payment.amount].map((value) =>
      typeof value === 'string' ? expect.stringMatching(new RegExp(value, 'i')) : value,
    ),
  )
})

test('a wallet on another network is switched first', async () => {
  const other = wallet(1)
  expect(await endOf(other.provider, payment)).toBe(HASH)
  expect(other.methods()).toContain('wallet_switchEthereumChain')
})

const unknownNetworks = WALLET_REPLIES.filter(({ meaning }) =>
  ['unknownNetwork', 'unsupported', 'unclear'].includes(meaning),
)
test.each(unknownNetworks)(
  'a wallet without the network gets it, as $wallet says so',
  async ({ thrown }) => {
    let isTaught = false
    const newcomer = wallet(1, {
      wallet_switchEthereumChain: throwing(thrown),
      wallet_addEthereumChain: () => {
        isTaught = true
        return null
      },
      eth_chainId: () => (isTaught ? '0x38' : '0x1'),
    })
    expect(await endOf(newcomer.provider, payment)).toBe(HASH)
    const added = newcomer.asked.find(({ method }) => method === 'wallet_addEthereumChain')
    expect(added?.params).toMatchObject([{ chainId: '0x38', rpcUrls: ['https://rpc'] }])
  },
)

test('a wallet that adds a network without switching to it is asked to switch again', async () => {
  let isKnown = false
  let present = '0x1'
  const { provider } = wallet(1, {
    wallet_switchEthereumChain: () => {
      if (!isKnown) throw Object.assign(new Error('unknown'), { code: 4902 })
      present = '0x38'
      return null
    },
    wallet_addEthereumChain: () => {
      isKnown = true
      return null
    },
    eth_chainId: () => present,
  })
  expect(await endOf(provider, payment)).toBe(HASH)
})

test.each([
  ['its network', { eth_chainId: late(['0x1', '0x1', '0x1'], '0x38') }],
  ['its network, failing meanwhile', { eth_chainId: late(['0x1', new Error('busy')], '0x38') }],
  [
    'its state',
    { eth_call: late(['0x', new Error('network changed')], encodedUint(5n * 10n ** 18n)) },
  ],
])('a wallet that shows %s late after a switch is looked at again', async (_, answers) => {
  expect(await endOf(wallet(1, answers).provider, payment)).toBe(HASH)
})

test('the account of the new network pays', async () => {
  const other = `0x${'22'.repeat(20)}`
  const { provider, asked } = wallet(1, { eth_accounts: () => [other] })
  expect(await endOf(provider, payment)).toBe(HASH)
  expect(asked.at(-1)?.params).toMatchObject([{ from: other }])
})

test.each([
  ['stays on its network', { wallet_switchEthereumChain: (): unknown => null }, 'otherNetwork'],
  ['shows no account', { eth_requestAccounts: () => [] }, 'noAccount'],
  ['is declined by its owner', { eth_sendTransaction: refusal(4001) }, 'rejected'],
  ['has a question open', { eth_requestAccounts: refusal(-32002) }, 'pending'],
  [
    'gives a Tron address',
    { eth_requestAccounts: () => ['TJRabPrwbZy45sbavfcjinPJC18kjpRTv8'] },
    'otherKind',
  ],
  ['fails before it is asked to send', { eth_requestAccounts: refusal(-32603) }, 'notSent'],
  [
    'finds no token there',
    {
      wallet_switchEthereumChain: (): unknown => null,
      eth_chainId: () => '0x38',
      eth_call: () => '0x',
    },
    'otherNetwork',
  ],
] as const)('a wallet that %s sends nothing', async (_, answers, problem) => {
  expect(await problemOf(wallet(1, { ...answers }).provider)).toBe(problem)
})

test('a wallet with too little USDT is not asked to send', async () => {
  const poor = wallet(56, { eth_call: () => encodedUint(1n) })
  expect(await problemOf(poor.provider)).toBe('tooLittle')
  expect(poor.methods()).not.toContain('eth_sendTransaction')
})

const MAYBE_SENT = new Set(['cutOff', 'disconnected', 'expired', 'unclear'])
test.each(WALLET_REPLIES)(
  'a payment is reported as it is after $meaning, as $wallet says it',
  async ({ meaning, thrown }) => {
    for (const answer of [throwing(thrown), () => thrown]) {
      const error = await errorOf(wallet(56, { eth_sendTransaction: answer }).provider, payment)
      expect(error.mayBeSent).toBe(MAYBE_SENT.has(meaning))
      expect(error.problem === 'rejected').toBe(meaning === 'refused')
    }
  },
)

test.each(WALLET_REPLIES.filter(({ meaning }) => meaning === 'refused'))(
  'a refusal to connect or to switch sends nothing, as $wallet says it',
  async ({ thrown }) => {
    for (const method of ['eth_requestAccounts', 'wallet_switchEthereumChain']) {
      const { provider, methods } = wallet(1, { [method]: throwing(thrown) })
      expect(await errorOf(provider, payment)).toMatchObject({
        problem: 'rejected',
        mayBeSent: false,
      })
      expect(methods().at(-1)).toBe(method)
    }
  },
)

test.each([
  ['wrapped', { hash: HASH }],
  ['in a result', { result: HASH.toUpperCase().replace('0X', '0x') }],
  ['without its prefix', HASH.slice(2)],
])('a hash that is %s is found', async (_, answer) => {
  const { provider } = wallet(56, { eth_sendTransaction: () => answer })
  expect(await endOf(provider, payment)).toBe(HASH)
})

test('a wallet that sent and then failed has sent', async () => {
  const thrown = Object.assign(new Error('no receipt yet'), { transactionHash: HASH })
  const { provider } = wallet(56, { eth_sendTransaction: throwing(thrown) })
  expect(await endOf(provider, payment)).toBe(HASH)
})

test('a wait that is ended before the question to send is never followed by it', async () => {
  const methods = ['eth_requestAccounts', 'wallet_switchEthereumChain', 'eth_call'] as const
  for (const method of methods) {
    const open = Promise.withResolvers<unknown>()
    const left = new AbortController()
    const fake = wallet(1, { [method]: () => open.promise })
    const ended = errorOf(fake.provider, payment, { signal: left.signal })
    await vi.advanceTimersByTimeAsync(1)
    expect(fake.methods().at(-1)).toBe(method)
    left.abort()
    expect(await ended).toMatchObject({ problem: 'cancelled', mayBeSent: false })
    open.resolve(method === 'eth_call' ? encodedUint(5n * 10n ** 18n) : [OWNER])
    await vi.advanceTimersByTimeAsync(10_000)
    expect(fake.methods().at(-1)).toBe(method)
  }
})

test('a wait that is ended while the question is open may still send, and its late answer is kept', async () => {
  const open = Promise.withResolvers<unknown>()
  const left = new AbortController()
  const onAsked = vi.fn()
  const { provider } = wallet(56, { eth_sendTransaction: () => open.promise })
  const ended = errorOf(provider, payment, { signal: left.signal, onAsked })
  await vi.advanceTimersByTimeAsync(1)
  expect(onAsked).toHaveBeenCalledTimes(1)
  left.abort()
  const error = await ended
  expect(error).toMatchObject({ problem: 'leftOpen', mayBeSent: true })
  open.resolve(HASH)
  expect(await error.late).toBe(HASH)
})
