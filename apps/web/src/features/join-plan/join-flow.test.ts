import type { UserEarning } from '@dct/api-contract/earnings'
import type { EarningPlan } from '@dct/api-contract/plans'
import type { MoneyStep } from '@dct/rules/money-steps'
import { decodeFunctionData, parseAbi } from 'viem'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import type { InjectedTronWeb, UnsignedTransaction } from '../../shared/chain/injected.ts'
import { addressToHex } from '../../shared/chain/tron-address.ts'
import { WalletError } from '../../shared/chain/wallet-error.ts'
import { TxRefusal } from '../../shared/tx/execute-call.ts'
import type { SentTransaction } from '../../shared/tx/sent-transactions.ts'
import { silentReport } from '../../shared/tx/tx-report.ts'
import { followJoin, type JoinDeps, joinPlan, QuotaUnknown, resumeJoin } from './join-flow.ts'

/**
 * Fakes of the wallet with its node, and of the service, through their interfaces. They record every request of the flow
 * in order.
 */
const OWNER = 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8'
const TOKEN = 'TXYZopYRdj2D9XRtbG411XZZ3kM5VkAeBf'
const STAKING = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'
const NAMES = new Map([
  [OWNER, 'TOwner'],
  [TOKEN, 'TToken'],
  [STAKING, 'TStaking'],
])
const PLAN = { plan_code: 'PLAN-360', duration_days: 360, total_percentage: '72' } as EarningPlan
const HASH = 'ab'.repeat(32)
const REFERENCE = { ref_block_bytes: '0001', ref_block_hash: '00'.repeat(8) }

type World = {
  asked: string[]
  decimals: bigint
  allowance: bigint
  /** How the token treats a new allowance while another one is set, and what its `approve` returns. */
  approves: 'always' | 'fromZero' | 'never'
  approveReturns: string
  lockOutcome: 'SUCCESS' | 'REVERT' | 'UNSEEN'
  isStaked: boolean
  joins: UserEarning[]
  quota: { daily: string; annual: string } | 'fails'
  onSign: () => void
  onBroadcast: () => void
}

let world: World
beforeEach(() => {
  world = {
    asked: [],
    decimals: 6n,
    allowance: 0n,
    approves: 'always',
    approveReturns: word(1n),
    lockOutcome: 'SUCCESS',
    isStaked: false,
    joins: [],
    quota: { daily: '2000.000000', annual: '10000.000000' },
    onSign: () => undefined,
    onBroadcast: () => undefined,
  }
  localStorageStub()
  vi.stubGlobal('window', new EventTarget())
  vi.stubGlobal('fetch', service)
})
afterEach(() => vi.unstubAllGlobals())

function localStorageStub(): void {
  vi.stubGlobal('localStorage', { getItem: () => 'token' })
}

async function service(url: string, { method, body }: RequestInit): Promise<Response> {
  const path = url.replace('/api/user', '')
  world.asked.push(`${method} ${path}${body ? ` ${String(body)}` : ''}`)
  if (path.endsWith('/check-quota')) {
    if (world.quota === 'fails') return new Response('{}', { status: 500 })
    const { daily, annual } = world.quota
    return Response.json({ remaining_daily_limit: daily, remaining_annual_quota: annual })
  }
  return Response.json({
    message: 'ok',
    expires_at: '2026-01-01T00:00:00.000Z',
    earnings: world.joins,
  })
}

const word = (value: bigint) => value.toString(16).padStart(64, '0')

const READS: Record<string, () => object> = {
  'decimals()': () => ({ result: { result: true }, constant_result: [word(world.decimals)] }),
  'allowance(address,address)': () => ({
    result: { result: true },
    constant_result: [word(world.allowance)],
  }),
}

/** The names behind addresses in hex, each of which has 20 bytes or is padded to a word. */
function namesIn(hex = ''): string[] {
  const words = hex.match(/.{64}|^.{42}$/g) ?? []
  return words.map((each) => {
    const known = [...NAMES].find(([address]) => each.endsWith(addressToHex(address).slice(2)))
    return known?.[1] ?? each
  })
}

const SENT = parseAbi([
  'function approve(address,uint256)',
  'function joinStake(uint256,string,uint256)',
])

/** What a transaction calls. */
function callIn({ raw_data }: UnsignedTransaction): string {
  const { contract } = raw_data as unknown as { contract: { parameter: { value: Called } }[] }
  const { contract_address, data } = contract[0]?.parameter.value ?? {
    contract_address: '',
    data: '',
  }
  const { functionName, args } = decodeFunctionData({ abi: SENT, data: `0x${data}` })
  const shown = args.map((arg) =>
    `${arg}`.replace(/^0x(.{40})$/, (_, hex) => `${namesIn(`41${hex.toLowerCase()}`)}`),
  )
  return `${namesIn(contract_address)}.${functionName}(${shown})`
}

type Called = { contract_address: string; data: string }
type Payload = { function_selector?: string; contract_address?: string; parameter?: string }

const NO_DATA = { result: { result: true, message: '524556455254' }, constant_result: [''] }

function triedApproval({ parameter = '' }: Payload): object {
  const isToZero = parameter.endsWith('0'.repeat(64))
  const isRefused = world.approves === 'fromZero' && world.allowance > 0n && !isToZero
  if (isRefused || world.approves === 'never') {
    return { ...NO_DATA, transaction: { ret: [{ ret: 'FAILED' }] }, energy_used: 500 }
  }
  return { result: { result: true }, constant_result: [world.approveReturns], energy_used: 500 }
}

function node(path: string, payload: Payload): object {
  switch (path) {
    case 'wallet/triggerconstantcontract': {
      const selector = payload.function_selector ?? ''
      if (selector.startsWith('stakeOf'))
        return { result: { result: true }, constant_result: [word(world.isStaked ? 7n : 0n)] }
      const read = READS[selector]
      const name = selector.split('(')[0]
      const asked =
        read && `read ${namesIn(payload.contract_address)}.${name}(${namesIn(payload.parameter)})`
      world.asked.push(asked ?? `try ${selector}`)
      const tried = { result: { result: true }, constant_result: [word(1n)], energy_used: 30_000 }
      return read?.() ?? (name === 'approve' ? triedApproval(payload) : tried)
    }
    case 'wallet/triggersmartcontract':
      return { transaction: { raw_data: { ...REFERENCE, expiration: 9, timestamp: 3 } } }
    case 'wallet/broadcasttransaction':
      world.onBroadcast()
      return { result: true, txid: HASH }
    case 'wallet/getaccount':
      return { address: '41', balance: 100_000_000 }
    case 'wallet/getchainparameters':
      return { chainParameter: [{ key: 'getEnergyFee', value: 100 }] }
    case 'walletsolidity/gettransactioninfobyid':
    case 'wallet/gettransactioninfobyid': {
      const isLock = world.asked.at(-1)?.includes('joinStake')
      if (world.lockOutcome === 'UNSEEN' && isLock) return {}
      const isFailed = world.lockOutcome === 'REVERT' && isLock
      return isFailed
        ? { id: HASH, blockNumber: 1, result: 'FAILED', receipt: { result: 'REVERT' } }
        : { id: HASH, blockNumber: 1, receipt: { result: 'SUCCESS' } }
    }
    default:
      return {}
  }
}

const tronWeb: InjectedTronWeb = {
  fullNode: { request: async (path, payload) => node(path, payload) },
  trx: {
    sign: async (transaction) => {
      const call = callIn(transaction)
      world.asked.push(`sign ${call}`)
      if (call.includes('approve')) world.allowance = BigInt(/(\d+)\)$/.exec(call)?.[1] ?? 0)
      world.onSign()
      return { ...transaction, txID: HASH, signature: ['00'] }
    },
  },
}

function deps(): JoinDeps & { kept: Map<string, SentTransaction> } {
  const kept = new Map<string, SentTransaction>()
  const text = (key: string, _values?: object) => key
  return {
    node: () => tronWeb,
    extraSigningMs: () => 0,
    signTransaction: (transaction) => tronWeb.trx.sign(transaction),
    text,
    chainText: text,
    joinText: text,
    contracts: { token: TOKEN, staking: STAKING },
    async take(press, ask) {
      await press.facts()
      return ask({ attempt: 'a', asking: () => undefined, sent: async () => undefined })
    },
    requireNetwork: async () => undefined,
    remember: (sent) => kept.set(sent.hash, sent),
    forget: (hash) => kept.delete(hash),
    report: silentReport(5),
    signal: new AbortController().signal,
    kept,
  }
}

const join = (parts = deps()) =>
  joinPlan(parts, { plan: PLAN, amount: '25', owner: OWNER, told: [] })
const asked = (start: string) => world.asked.filter((line) => line.startsWith(start))

test('[JOIN-22, JOIN-23, JOIN-25, CHAIN-03, CHAIN-04, CHAIN-06] the flow in order, with an approval of exactly the amount', async () => {
  await join()
  expect(world.asked).toEqual([
    'GET /earning-plans/PLAN-360/check-quota',
    'read TToken.decimals()',
    'POST /earning-plans/PLAN-360/reserve {"amount":"25"}',
    expect.stringMatching(/^GET \/earnings\?/),
    'read TToken.allowance(TOwner,TStaking)',
    'try joinStake(uint256,string,uint256)',
    'try approve(address,uint256)',
    'sign TToken.approve(TStaking,25000000)',
    'try joinStake(uint256,string,uint256)',
    'sign TStaking.joinStake(25000000,PLAN-360,360)',
    `POST /earnings {"plan_code":"PLAN-360","amount":"25","trx_hash":"${HASH}"}`,
  ])
})

test.each([25_000_000n, 25_000_001n])(
  '[JOIN-24] an allowance of %d is enough: no approval',
  async (allowance) => {
    world.allowance = allowance
    await join()
    expect(asked('sign')).toEqual(['sign TStaking.joinStake(25000000,PLAN-360,360)'])
  },
)

test('[JOIN-23] an allowance of one unit less is not enough', async () => {
  world.allowance = 24_999_999n
  await join()
  expect(asked('sign')).toHaveLength(2)
})

test('a token that changes an allowance only from zero gets it set to zero first, as a step', async () => {
  world.approves = 'fromZero'
  world.allowance = 5_000_000n
  const step = vi.fn()
  const parts = deps()
  await join({ ...parts, report: { ...parts.report, step } })
  expect(asked('sign')).toEqual([
    'sign TToken.approve(TStaking,0)',
    'sign TToken.approve(TStaking,25000000)',
    'sign TStaking.joinStake(25000000,PLAN-360,360)',
  ])
  expect(step.mock.calls.map(([id]) => id)).toEqual(['quota', 'reset', 'approve', 'lock', 'record'])
})

test('a token that refuses every approval is refused before anything is signed', async () => {
  world.approves = 'never'
  for (const allowance of [0n, 5_000_000n]) {
    world.allowance = allowance
    await expect(join()).rejects.toBeInstanceOf(TxRefusal)
  }
  expect(asked('sign')).toEqual([])
})

test('an approval that returns false is refused before it is signed; one that returns nothing is not', async () => {
  world.approveReturns = word(0n)
  await expect(join()).rejects.toThrow('answeredNo')
  expect(asked('sign')).toEqual([])
  world.approveReturns = ''
  await join()
  expect(asked('sign')).toHaveLength(2)
})

test('[CHAIN-01] amounts are scaled by the contract’s decimals', async () => {
  world.decimals = 18n
  await join()
  expect(asked('sign')).toEqual([
    'sign TToken.approve(TStaking,25000000000000000000)',
    'sign TStaking.joinStake(25000000000000000000,PLAN-360,360)',
  ])
})

test('[JOIN-25] a reverted lock is neither recorded nor stored', async () => {
  world.lockOutcome = 'REVERT'
  const parts = deps()
  await expect(join(parts)).rejects.toThrow('reverted')
  expect(asked('POST /earnings')).toEqual([])
  expect(parts.kept.size).toBe(0)
})

test.each([
  ['does not show it', false, 'announced'],
  ['shows the stake', true, 'joined'],
] as const)(
  'a lock that no node has seen when its time is up, while the contract %s, is recorded, never called failed',
  async (_what, isStaked, outcome) => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    Object.assign(world, { lockOutcome: 'UNSEEN', allowance: 25_000_000n, isStaked })
    let ended: string | undefined
    void join().then((end) => {
      ended = end
    })
    while (ended === undefined) await vi.advanceTimersByTimeAsync(1_000)
    expect(ended).toBe(outcome)
    expect(asked('POST /earnings')).toHaveLength(1)
  },
)

test('what the wallet signs after the holder has stopped waiting is not sent', async () => {
  const stop = new AbortController()
  world.onSign = () => stop.abort(new WalletError('cancelled'))
  world.onBroadcast = () => expect.unreachable('broadcast')
  const parts = { ...deps(), signal: stop.signal }
  await expect(join(parts)).rejects.toMatchObject({ problem: 'cancelled' })
  expect(parts.kept.size).toBe(0)
})

test('a lock that waits for its confirmation, wherever it was sent, is a fact that no confirmation gets past', async () => {
  const joins = [{ is_hash_confirmed: 'WAITING', trx_hash: HASH }]
  world.joins = joins as UserEarning[]
  const parts = deps()
  let facts: readonly MoneyStep[] = []
  parts.take = async (press) => {
    facts = await press.facts()
    throw new WalletError('pending')
  }
  await expect(join(parts)).rejects.toMatchObject({ problem: 'pending' })
  expect(facts).toMatchObject([{ attempt: HASH, state: 'checking' }])
  expect(asked('sign')).toEqual([])

  world.joins = [{ is_hash_confirmed: 'SUCCESS', trx_hash: HASH }] as UserEarning[]
  await expect(join()).rejects.toThrow("You have followed this plan, can't join again!")
  expect(asked('sign')).toEqual([])
})

test('[JOIN-25] a declined lock is not recorded', async () => {
  world.allowance = 25_000_000n
  world.onSign = () => {
    throw new WalletError('rejected')
  }
  await expect(join()).rejects.toBeInstanceOf(WalletError)
  expect(asked('POST /earnings')).toEqual([])
})

test('[JOIN-21] an exhausted quota stops the join before anything is reserved, read or signed', async () => {
  world.quota = { daily: '0', annual: '10000' }
  await expect(join()).rejects.toThrow(
    'The daily quota for this plan has run out.Try again tomorrow!',
  )
  expect(world.asked).toEqual(['GET /earning-plans/PLAN-360/check-quota'])
})

test('an unknown quota stops the join with a specific error', async () => {
  world.quota = 'fails'
  await expect(join()).rejects.toBeInstanceOf(QuotaUnknown)
  expect(world.asked).toHaveLength(1)
})

test('more decimals than the token has are refused before the quota is reserved', async () => {
  const parts = deps()
  await expect(
    joinPlan(parts, { plan: PLAN, amount: '25.0000001', owner: OWNER, told: [] }),
  ).rejects.toThrow('decimals')
  expect(asked('POST')).toEqual([])
})

test('the lock is stored from before its broadcast until it is recorded, and can be resumed', async () => {
  const parts = deps()
  let keptAtSend: SentTransaction | undefined
  world.onBroadcast = () => {
    keptAtSend = parts.kept.get(HASH)
  }
  await join(parts)
  expect(keptAtSend).toMatchObject({ owner: OWNER, facts: { planCode: 'PLAN-360', amount: '25' } })
  expect(parts.kept.size).toBe(0)

  world.asked = []
  await resumeJoin(parts, keptAtSend as SentTransaction)
  expect(world.asked).toEqual([
    `POST /earnings {"plan_code":"PLAN-360","amount":"25","trx_hash":"${HASH}"}`,
  ])
  vi.restoreAllMocks()
})

test('a lock from another device is followed by the service’s state, without requests by this page', async () => {
  const said = (facts: Partial<UserEarning>) => Promise.resolve(facts as UserEarning)
  await followJoin(deps(), { hash: HASH, decided: said({ is_hash_confirmed: 'SUCCESS' }) })
  const failed = said({ is_hash_confirmed: 'FAILED', failure_reason: 'Nothing was locked.' })
  await expect(followJoin(deps(), { hash: HASH, decided: failed })).rejects.toThrow(
    'Nothing was locked.',
  )
  expect(world.asked).toEqual([])
})
