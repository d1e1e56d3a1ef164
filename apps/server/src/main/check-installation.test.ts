import {
  CallFailed,
  type ChainReader,
  createNodeGroup,
  createNodeStanding,
  NodeUnavailable,
} from '@dct/chain-clients'
import { encodeCall } from '@dct/chain-clients/senders/index'
import { payoutVaultAbi, rewardPoolAbi, stakingAbi, tokenAbi } from '@dct/contract-abi'
import { payoutVaultRuntime, rewardPoolRuntime, stakingRuntime } from '@dct/contract-abi/bytecode'
import { formatTronAddress } from '@dct/rules/addresses'
import { type Abi, encodeFunctionResult, type Hex } from 'viem'
import { expect, test } from 'vitest'
import { bytesOf } from '../modules/chain/index.ts'
import type { Chains } from './chains/chains.ts'
import { requireAll, START_CHECKS } from './check-installation.ts'
import type { Config } from './config.ts'
import { StartError } from './start-error.ts'

const addressOf = (byte: string): Hex => `0x${byte.repeat(20)}`
const [TOKEN, STAKING, POOL, OPERATOR, OTHER] = [
  ...['a1', 'a2', 'a3', 'a4', 'c1'].map(addressOf),
] as [Hex, Hex, Hex, Hex, Hex]
const [USDT, VAULT, PAYER] = ['b1', 'b2', 'b3'].map(addressOf) as [Hex, Hex, Hex]
const base58 = (address: Hex) => formatTronAddress(bytesOf(address))

const view = (contract: Hex, abi: Abi, name: string, value: unknown) => ({
  call: `${contract} ${encodeCall(abi, name, [])}`,
  data: encodeFunctionResult({ abi, functionName: name, result: value } as never),
})
type View = ReturnType<typeof view>
const pays = (staking: Hex, pool: Hex) => view(staking, stakingAbi, 'rewardPool', pool)
const locks = (staking: Hex, token: Hex) => view(staking, stakingAbi, 'token', token)
const serves = (pool: Hex, staking: Hex) => view(pool, rewardPoolAbi, 'staking', staking)
const decimals = (token: Hex, count: number) => view(token, tokenAbi, 'decimals', count)

const VAULT_VIEWS = [
  view(VAULT, payoutVaultAbi, 'token', USDT),
  view(VAULT, payoutVaultAbi, 'operator', PAYER),
]

/** An installation whose settings and chains are consistent. */
const SOUND = [
  decimals(TOKEN, 6),
  pays(STAKING, POOL),
  locks(STAKING, TOKEN),
  serves(POOL, STAKING),
  view(POOL, rewardPoolAbi, 'operator', OPERATOR),
  decimals(USDT, 18),
  ...VAULT_VIEWS,
]

const CODES: Readonly<Record<Hex, string>> = {
  [STAKING]: stakingRuntime.code,
  [POOL]: rewardPoolRuntime.code,
  [VAULT]: payoutVaultRuntime.code,
}

/** Chains whose contracts answer these view calls and no others. */
function readerOf(chainId: number, views: readonly View[], codes = CODES): ChainReader {
  const answers = new Map(views.map(({ call, data }) => [call, data]))
  const at = { number: 9n, hash: '0x09', time: new Date(0) } as const
  return {
    chainId: async () => chainId,
    finalHead: async () => at,
    code: async (address) => (codes[address] ?? '0x') as Hex,
    async finalCall(calls) {
      const results = calls.map(({ to, data }) => {
        const answer = answers.get(`${to} ${data}`)
        if (answer === undefined) throw new CallFailed('reverted')
        return answer
      })
      return { at, results }
    },
  } satisfies Partial<ChainReader> as unknown as ChainReader
}

const groupOf = (client: ChainReader) =>
  createNodeGroup([{ client, standing: createNodeStanding('node.example.org') }])

function check(views: readonly View[], readers: { tron?: ChainReader; bsc?: ChainReader } = {}) {
  const { tron = readerOf(1, views), bsc = readerOf(97, views) } = readers
  const chains = {
    tron: {
      reader: tron,
      readers: groupOf(tron),
      token: TOKEN,
      staking: STAKING,
      rewardPool: POOL,
    },
    bsc: { reader: bsc, readers: groupOf(bsc), usdt: USDT, vault: VAULT },
  } as Pick<Chains, 'tron' | 'bsc'>
  const config = {
    tron: { chainId: 1, token: base58(TOKEN) },
    bsc: { chainId: 97, usdt: USDT },
  } as Pick<Config, 'tron' | 'bsc'>
  return requireAll(START_CHECKS, { chains, config })
}

/** The consistent installation, except that these views return something else. */
const but = (...changes: readonly View[]) => [...SOUND, ...changes]
const without = (...gone: readonly View[]) =>
  SOUND.filter(({ call }) => !gone.some((view) => view.call === call))

test('settings that match the chains are accepted, and the contracts’ own data is returned', async () => {
  expect(await check(SOUND)).toEqual({ dctDecimals: 6, operator: OPERATOR, payoutOperator: PAYER })
})

test.each([
  [
    'a USDT token with other decimals',
    but(decimals(USDT, 6)),
    `BSC_USDT (${USDT}) is a token with 6 decimals on this network; USDT with 18 decimals is needed.`,
  ],
  [
    'a USDT address without a token',
    without(decimals(USDT, 18)),
    `BSC_USDT (${USDT}) is not a token on this network; USDT with 18 decimals is needed.`,
  ],
  [
    'a token address without a token',
    without(decimals(TOKEN, 6)),
    `TRON_TOKEN (${base58(TOKEN)}) is not a token on this network.`,
  ],
  [
    'swapped contracts',
    [
      decimals(TOKEN, 6),
      decimals(USDT, 18),
      pays(POOL, STAKING),
      serves(STAKING, POOL),
      ...VAULT_VIEWS,
    ],
    'TRON_STAKING and TRON_REWARD_POOL are swapped: exchange the two.',
  ],
  [
    'a foreign staking contract',
    without(pays(STAKING, POOL), locks(STAKING, TOKEN)),
    `TRON_STAKING (${base58(STAKING)}) is not this product's contract.`,
  ],
  [
    'a staking contract without a token',
    without(locks(STAKING, TOKEN)),
    `TRON_STAKING (${base58(STAKING)}) is not this product's contract.`,
  ],
  [
    'a foreign reward pool',
    without(serves(POOL, STAKING)),
    `TRON_REWARD_POOL (${base58(POOL)}) is not this product's contract.`,
  ],
  [
    'a staking contract that pays from another pool',
    but(pays(STAKING, OTHER)),
    `TRON_STAKING pays from the reward pool ${base58(OTHER)}, and TRON_REWARD_POOL is ${base58(POOL)}.`,
  ],
  [
    'a reward pool of another staking contract',
    but(serves(POOL, OTHER)),
    `TRON_REWARD_POOL serves the staking contract ${base58(OTHER)}, and TRON_STAKING is ${base58(STAKING)}.`,
  ],
  [
    'contracts of another token',
    but(locks(STAKING, OTHER)),
    `TRON_STAKING locks the token ${base58(OTHER)}, and TRON_TOKEN is ${base58(TOKEN)}.`,
  ],
])('%s prevents the start with an error that names the setting', async (_what, views, message) => {
  const start = check(views)
  await expect(start).rejects.toBeInstanceOf(StartError)
  await expect(start).rejects.toThrow(message)
})

test('nodes of other networks are refused with an error that names the setting', async () => {
  await expect(check(SOUND, { tron: readerOf(2, SOUND) })).rejects.toThrow(
    'TRON_FULL_HOST names node.example.org, a node of chain 2; the settings ask for chain 1.',
  )
  await expect(check(SOUND, { bsc: readerOf(56, SOUND) })).rejects.toThrow(
    'BSC_RPC names node.example.org, a node of chain 56; the settings ask for chain 97.',
  )
})

test.each([
  ['other code', { ...CODES, [POOL]: stakingRuntime.code }, 'TRON_REWARD_POOL', POOL],
  ['no code', { ...CODES, [STAKING]: '0x' }, 'TRON_STAKING', STAKING],
])(
  'a contract that answers every call correctly but runs %s prevents the start',
  async (_what, codes, setting, at) => {
    await expect(check(SOUND, { tron: readerOf(1, SOUND, codes) })).rejects.toThrow(
      `${setting} (${base58(at)}) runs other code than this version was built with`,
    )
  },
)

test('a node that does not answer proves nothing about a contract', async () => {
  const bsc: ChainReader = {
    ...readerOf(97, SOUND),
    finalCall: async () => {
      throw new NodeUnavailable('connection lost')
    },
  }
  const start = check(SOUND, { bsc })
  await expect(start).rejects.toBeInstanceOf(NodeUnavailable)
  await expect(start).rejects.toThrow('connection lost')
})
