import type { ConfigReply } from '@dct/api-contract/config'
import { decodeFunctionData, type Hex, parseAbi } from 'viem'
import type { Asked } from './page-service.ts'

const ABI = parseAbi([
  'function approve(address spender, uint256 amount)',
  'function joinStake(uint256 amount, string planCode, uint256 durationDays)',
  'function addRewardForPlan(string planCode, uint256 amount)',
])
/** What every simulated call takes, which makes a transaction cost a few TRX. */
const ENERGY = 20_000
const PLENTY_OF_DCT = 1_000_000_000n
const PLENTY_OF_TRX = 10_000_000_000

/** 10,000 USDT of 18 decimals. */
const USDT_BALANCE = `0x${(10n ** 22n).toString(16).padStart(64, '0')}`

type Transaction = {
  txID: string
  raw_data: { contract: { parameter: { value: { data: string } } }[] }
}

/** What Tron's node answers the page's wallet, over a single account in memory. */
export type PageChain = ReturnType<typeof createPageChain>

export function createPageChain(config: ConfigReply) {
  const account = {
    dct: PLENTY_OF_DCT,
    decimals: 6,
    trx: PLENTY_OF_TRX,
    allowance: 0n,
    freeBandwidth: 600,
    /** The one stake, in whatever plan is asked about. */
    stake: undefined as { amount: bigint; reward: bigint } | undefined,
  }
  /** What becomes of transactions: they are in a block at once, never, or fail there. */
  const fate: Record<'approve' | 'joinStake' | 'addRewardForPlan', 'done' | 'unseen' | 'failed'> = {
    approve: 'done',
    joinStake: 'done',
    addRewardForPlan: 'done',
  }
  const sent = new Map<string, keyof typeof fate>()

  const constants: Record<string, () => bigint> = {
    'decimals()': () => BigInt(account.decimals),
    'balanceOf(address)': () => account.dct,
    'allowance(address,address)': () => account.allowance,
    'stakeOf(address,string)': () => (account.stake === undefined ? 0n : 1n),
  }

  /** The words of a result. */
  function resultOf(selector: string): string {
    const { amount, reward } = account.stake ?? { amount: 0n, reward: 0n }
    const stake = [32n, 0n, amount, reward, 1_790_000_000n, 1_850_000_000n, 0n]
    const words = selector === 'stakes(uint256)' ? stake : [constants[selector]?.() ?? 1n]
    return words.map((word) => word.toString(16).padStart(64, '0')).join('')
  }

  function broadcast({ txID, raw_data }: Transaction): object {
    const [call] = raw_data.contract
    const data = `0x${call?.parameter.value.data}` as Hex
    const { functionName, args } = decodeFunctionData({ abi: ABI, data })
    sent.set(txID, functionName)
    if (fate[functionName] === 'done') {
      if (functionName === 'approve') account.allowance = args[1]
      else account.dct -= functionName === 'joinStake' ? args[0] : args[1]
    }
    return { result: true, txid: txID }
  }

  function infoOf(hash: string): object {
    const name = sent.get(hash)
    if (name === undefined || fate[name] === 'unseen') return {}
    const isFailed = fate[name] === 'failed'
    return {
      ...{ id: hash, blockNumber: 1_000, blockTimeStamp: Date.now(), contractResult: [''] },
      receipt: { result: isFailed ? 'REVERT' : 'SUCCESS' },
      ...(isFailed && { result: 'FAILED', resMessage: '' }),
    }
  }

  const answers: Record<string, (body: never) => object> = {
    getblockbynum: () => ({
      blockID: config.tron.chain_id.toString(16).padStart(64, '0'),
    }),
    getnowblock: () => ({ block_header: { raw_data: { timestamp: Date.now() } } }),
    getaccount: () => ({ address: '41', balance: account.trx }),
    getaccountresource: () => ({ freeNetLimit: account.freeBandwidth }),
    getchainparameters: () => ({ chainParameter: [] }),
    triggerconstantcontract: ({ function_selector: selector }: { function_selector: string }) => ({
      result: { result: true },
      energy_used: ENERGY,
      constant_result: [resultOf(selector)],
      transaction: { ret: [{}] },
    }),
    triggersmartcontract: () => ({
      result: { result: true },
      transaction: {
        raw_data: {
          ...{ ref_block_bytes: '0001', ref_block_hash: '0000000000000001' },
          ...{ expiration: Date.now() + 60_000, timestamp: Date.now() },
        },
      },
    }),
    broadcasttransaction: broadcast,
    gettransactioninfobyid: ({ value }: { value: string }) => infoOf(value),
  }
  return {
    account,
    fate,
    /** The answers of Tron's node, and a balance to whatever is asked of BSC's; undefined to anything else. */
    answer({ route, body }: Asked): object | undefined {
      if (route === 'POST /bsc') return { jsonrpc: '2.0', id: 1, result: USDT_BALANCE }
      const name = /^POST \/tron\/wallet(?:solidity)?\/(\w+)$/.exec(route)?.[1]
      return name === undefined ? undefined : answers[name]?.(body as never)
    },
  }
}
