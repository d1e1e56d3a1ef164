import type { UserEarning } from '@dct/api-contract/earnings'
import type { EarningPlan } from '@dct/api-contract/plans'
import { decodeFunctionData, parseAbi } from 'viem'
import { vi } from 'vitest'
import type { WalletCandidate } from '../../../shared/chain/found-wallet.ts'
import type { InjectedTronWeb, UnsignedTransaction } from '../../../shared/chain/injected.ts'
import { addressToHex } from '../../../shared/chain/tron-address.ts'
import type { SentTransaction } from '../../../shared/tx/sent-transactions.ts'
import { silentReport } from '../../../shared/tx/tx-report.ts'
import type { JoinDeps } from '../join-flow.ts'

/**
 * Fakes of the wallet with its node, and of the service, through their interfaces. They record every request of the flow
 * in order.
 */
export const OWNER = 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8'
const TOKEN = 'TXYZopYRdj2D9XRtbG411XZZ3kM5VkAeBf'
const STAKING = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'
const NAMES = new Map([
  [OWNER, 'TOwner'],
  [TOKEN, 'TToken'],
  [STAKING, 'TStaking'],
])
export const PLAN = {
  plan_code: 'PLAN-360',
  duration_days: 360,
  total_percentage: '72',
} as EarningPlan
export const HASH = 'ab'.repeat(32)
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

const FRESH: World = {
  asked: [],
  decimals: 6n,
  allowance: 0n,
  approves: 'always',
  approveReturns: '',
  lockOutcome: 'SUCCESS',
  isStaked: false,
  joins: [],
  quota: { daily: '2000.000000', annual: '10000.000000' },
  onSign: () => undefined,
  onBroadcast: () => undefined,
}
export const world: World = { ...FRESH }

/** Everything as before a first join, with the service behind `fetch`. */
export function resetWorld(): void {
  Object.assign(world, { ...FRESH, asked: [], approveReturns: word(1n) })
  vi.stubGlobal('localStorage', { getItem: () => 'token' })
  vi.stubGlobal('fetch', service)
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

export const word = (value: bigint) => value.toString(16).padStart(64, '0')

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

export const candidate: WalletCandidate = {
  ...{ id: 'test', name: 'Test', icon: undefined, isAnnounced: false },
  ...{ provider: undefined, connectMethod: 'tron_requestAccounts', tronWeb: () => tronWeb },
}

export function deps(): JoinDeps & { kept: Map<string, SentTransaction> } {
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
