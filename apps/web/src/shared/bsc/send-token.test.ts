import { decodeFunctionData, encodeAbiParameters, parseAbi } from 'viem'
import { expect, test } from 'vitest'
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
type Asked = { method: string; params: readonly unknown[] }

/** A wallet with 5 USDT on `chainId`; `answers` overrides its replies to some methods. */
function wallet(chainId: number, answers: Record<string, (asked: Asked) => unknown> = {}) {
  const asked: Asked[] = []
  let present = chainId
  const usual: typeof answers = {
    eth_requestAccounts: () => [OWNER],
    eth_chainId: () => `0x${present.toString(16)}`,
    wallet_switchEthereumChain: () => {
      present = 56
      return null
    },
    eth_call: () => encodeAbiParameters([{ type: 'uint256' }], [5n * 10n ** 18n]),
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
const refusal = (code: number) => () => {
  throw Object.assign(new Error('no'), { code })
}
const problemOf = async (provider: EvmProvider) => {
  const error: unknown = await sendToken(provider, payment).catch((thrown: unknown) => thrown)
  return error instanceof PaymentError ? error.problem : error
}

test('a wallet on BSC is asked for a single transfer of exactly the amount', async () => {
  const { provider, asked, methods } = wallet(56)
  expect(await sendToken(provider, payment)).toBe(HASH)
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

test('a wallet on another network is switched first, after adding the network if it is unknown', async () => {
  const other = wallet(1)
  expect(await sendToken(other.provider, payment)).toBe(HASH)
  expect(other.methods()).toContain('wallet_switchEthereumChain')

  for (const error of [{ code: 4902 }, { code: -32603, data: { originalError: { code: 4902 } } }]) {
    let isTaught = false
    const newcomer = wallet(1, {
      wallet_switchEthereumChain: () => {
        throw Object.assign(new Error('unknown'), error)
      },
      wallet_addEthereumChain: () => {
        isTaught = true
        return null
      },
      eth_chainId: () => (isTaught ? '0x38' : '0x1'),
    })
    expect(await sendToken(newcomer.provider, payment)).toBe(HASH)
  }
})

test.each([
  ['stays on its network', { wallet_switchEthereumChain: (): unknown => null }, 'otherNetwork'],
  ['shows no account', { eth_requestAccounts: () => [] }, 'noAccount'],
  ['is declined by its owner', { eth_sendTransaction: refusal(4001) }, 'rejected'],
  ['has a question open', { eth_requestAccounts: refusal(-32002) }, 'pending'],
  ['fails', { eth_sendTransaction: refusal(-32603) }, 'failed'],
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
  const poor = wallet(56, { eth_call: () => encodeAbiParameters([{ type: 'uint256' }], [1n]) })
  expect(await problemOf(poor.provider)).toBe('tooLittle')
  expect(poor.methods()).not.toContain('eth_sendTransaction')
})
