import { keccak256 } from 'viem'
import type { Engine } from '../../core/engine.ts'
import { CHAIN_IDS, type EvmBlock } from '../../core/evm-node.ts'
import { toQuantity } from '../../core/rpc.ts'
import { toEvm } from '../address.ts'
import { buildTransaction } from '../build.ts'
import { triggerValue } from '../contracts.ts'
import { readBalance, stateTag } from '../node.ts'
import { ENERGY_PRICE, JAVA_TRON_VERSION, WITNESS_ADDRESS } from '../parameters.ts'
import { unsignedTransaction } from '../transactions.ts'
import { call, estimate, readCallArguments } from './calls.ts'
import { invalidParams, methodNotFound } from './errors.ts'
import type { Filters } from './filters.ts'
import { getLogs } from './logs.ts'
import {
  readBlockAt,
  readBlockWithHash,
  readHash,
  readHexAddress,
  requireLatest,
} from './parameters.ts'
import { blockResult, receiptResult, transactionResult } from './results.ts'

export type Context = { engine: Engine; filters: Filters }
export type Method = (context: Context, params: readonly unknown[]) => unknown

const CHAIN_ID = toQuantity(CHAIN_IDS.tron)

/** Methods that java-tron declares but refuses. */
const REFUSED = [
  'eth_sendRawTransaction',
  'eth_sendTransaction',
  'eth_sign',
  'eth_signTransaction',
  'eth_getTransactionCount',
  'eth_submitWork',
  'eth_submitHashrate',
  'eth_hashrate',
  'eth_mining',
  'eth_getCompilers',
  'eth_compileSolidity',
  'eth_compileLLL',
  'eth_compileSerpent',
  'eth_getUncleByBlockHashAndIndex',
  'eth_getUncleByBlockNumberAndIndex',
  'eth_getUncleCountByBlockHash',
  'eth_getUncleCountByBlockNumber',
  'parity_nextNonce',
]

const refuse: Method = () => {
  throw methodNotFound('the method does not exist/is not available')
}

const ofBlock =
  (read: (engine: Engine, selector: unknown) => Promise<EvmBlock | undefined>) =>
  <T>(show: (engine: Engine, block: EvmBlock, params: readonly unknown[]) => T): Method =>
  async ({ engine }, params) => {
    const block = await read(engine, params[0])
    return block ? show(engine, block, params) : null
  }
const ofBlockNumber = ofBlock(readBlockAt)
const ofBlockHash = ofBlock(readBlockWithHash)

const showBlock = (engine: Engine, block: EvmBlock, [, full]: readonly unknown[]) =>
  blockResult(engine, block, full === true)
const showCount = ({ records }: Engine, block: EvmBlock) =>
  toQuantity(records.inBlock(Number(block.number)).length)
const showIndexed = ({ records }: Engine, block: EvmBlock, [, index]: readonly unknown[]) => {
  const record = records.inBlock(Number(block.number))[Number(index)]
  return record ? transactionResult(record) : null
}
const showReceipts = (engine: Engine, block: EvmBlock) =>
  engine.records.inBlock(Number(block.number)).map((record) => receiptResult(engine, record))

const ofState =
  (method: string): Method =>
  ({ engine }, params) => {
    requireLatest(params.at(-1))
    const [address, ...rest] = params.slice(0, -1)
    const tag = stateTag(engine, 'head')
    return engine.nodes.tron.rpc(method, toEvm(readHexAddress(address)), ...rest, tag)
  }

/** `buildTransaction`: an unsigned transfer or call, from the arguments of an Ethereum call. */
const build: Method = async ({ engine }, [argument]) => {
  const asked = readCallArguments(argument)
  const { owner, contract, callValue } = asked
  if (!contract) throw invalidParams('to is missing')
  const isCall = asked.data !== '0x'
  const transaction = await buildTransaction(engine, {
    type: isCall ? 'TriggerSmartContract' : 'TransferContract',
    value: isCall
      ? triggerValue(asked)
      : { owner_address: owner, to_address: contract, amount: callValue },
    feeLimit: Number((argument as { gas?: string }).gas ?? 0) * ENERGY_PRICE,
  })
  return { transaction: unsignedTransaction(transaction) }
}

export const METHODS: Record<string, Method> = {
  ...Object.fromEntries(REFUSED.map((name) => [name, refuse])),
  web3_clientVersion: () => `TRON/v${JAVA_TRON_VERSION}/devnet`,
  web3_sha3: (_context, [data]) => keccak256(`0x${`${data}`.replace(/^0x/, '')}`),
  net_version: () => CHAIN_ID,
  net_listening: () => true,
  net_peerCount: () => '0x0',
  eth_chainId: () => CHAIN_ID,
  eth_protocolVersion: () => toQuantity(34),
  eth_syncing: () => false,
  eth_accounts: () => [],
  eth_coinbase: () => toEvm(WITNESS_ADDRESS),
  eth_gasPrice: () => toQuantity(ENERGY_PRICE),
  eth_blockNumber: ({ engine }) => toQuantity(engine.nodes.tron.head().number),
  eth_getBlockByNumber: ofBlockNumber(showBlock),
  eth_getBlockByHash: ofBlockHash(showBlock),
  eth_getBlockTransactionCountByNumber: ofBlockNumber(showCount),
  eth_getBlockTransactionCountByHash: ofBlockHash(showCount),
  eth_getTransactionByBlockNumberAndIndex: ofBlockNumber(showIndexed),
  eth_getTransactionByBlockHashAndIndex: ofBlockHash(showIndexed),
  eth_getBlockReceipts: (context, params) =>
    /^(0x)?[0-9a-fA-F]{64}$/.test(`${params[0]}`)
      ? ofBlockHash(showReceipts)(context, params)
      : ofBlockNumber(showReceipts)(context, params),
  eth_getTransactionByHash: ({ engine }, [hash]) => {
    const record = engine.records.find(readHash(hash))
    return record ? transactionResult(record) : null
  },
  eth_getTransactionReceipt: ({ engine }, [hash]) => {
    const record = engine.records.find(readHash(hash))
    return record ? receiptResult(engine, record) : null
  },
  eth_getBalance: async ({ engine }, [address, tag]) => {
    requireLatest(tag)
    return toQuantity(await readBalance(engine, 'head', readHexAddress(address)))
  },
  eth_getCode: ofState('eth_getCode'),
  eth_getStorageAt: ofState('eth_getStorageAt'),
  eth_call: ({ engine }, [argument, selector]) => call(engine, argument, selector),
  eth_estimateGas: ({ engine }, [argument]) => estimate(engine, argument),
  eth_getLogs: ({ engine }, [filter]) => getLogs(engine, filter),
  eth_newFilter: ({ filters }, [filter]) => filters.addLogFilter(filter),
  eth_newBlockFilter: ({ filters }) => filters.addBlockFilter(),
  eth_uninstallFilter: ({ filters }, [id]) => filters.remove(id),
  eth_getFilterChanges: ({ filters }, [id]) => filters.changes(id),
  eth_getFilterLogs: ({ filters }, [id]) => filters.logs(id),
  buildTransaction: build,
}
