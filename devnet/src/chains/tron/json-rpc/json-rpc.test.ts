import { devTokenAbi, stakingAbi } from '@dct/contract-abi'
import {
  type Address,
  createPublicClient,
  decodeErrorResult,
  encodeFunctionData,
  type Hex,
  http,
  type PublicClient,
} from 'viem'
import { beforeAll, describe, expect, test } from 'vitest'
import { asArgument } from '../../setup/tron-wallet.ts'
import { checkRpcResult } from '../../testing/node-description.ts'
import { useChainHost } from '../../testing/test-host.ts'
import {
  askRpc,
  ayu,
  budi,
  post,
  readInfo,
  type SignedTransaction,
  signedCall,
  signedTokenTransfer,
  tronWebOf,
} from '../../testing/tron-client.ts'

const chains = useChainHost()
/** How many blocks the newest final block is behind the head. */
const FINALITY_LAG = 2n

let reader: PublicClient
let token: Address
let transfer: SignedTransaction
let failed: SignedTransaction

beforeAll(async () => {
  const host = chains()
  const client = tronWebOf(host, ayu)
  reader = createPublicClient({ transport: http(host.tronJsonRpcUrl) })
  token = asArgument(host.deployment.tron.token)
  transfer = await signedTokenTransfer(host, client, { to: budi.tronAddress, amount: 42n })
  failed = await signedCall(client, {
    contract: host.deployment.tron.staking,
    abi: stakingAbi,
    functionName: 'joinStake',
    args: [1n, 'PLAN-360', 360n],
  })
  await client.trx.sendRawTransaction(transfer)
  await client.trx.sendRawTransaction(failed)
  await host.control.finalize()
})

const call = (method: string, ...params: readonly unknown[]) =>
  askRpc(chains().tronJsonRpcUrl, method, ...params)

test('viem reads blocks, including the final one, with the ids of the HTTP API', async () => {
  const host = chains()
  // A block may be made between two reads.
  const before = await reader.getBlock()
  const final = await reader.getBlock({ blockTag: 'finalized' })
  const after = await reader.getBlock()
  expect(final.number).toBeGreaterThanOrEqual(before.number - FINALITY_LAG)
  expect(final.number).toBeLessThanOrEqual(after.number - FINALITY_LAG)
  expect(await reader.getChainId()).toBe(3_448_148_188)
  const solid = await post(host, 'wallet/getblockbynum', { num: Number(final.number) })
  expect(final.hash).toBe(`0x${solid.blockID}`)
  const { timestamp } = (solid.block_header as { raw_data: { timestamp: number } }).raw_data
  expect(Number(final.timestamp) * 1000).toBe(timestamp)
  const again = await reader.getBlock({ blockHash: final.hash })
  expect(again.number).toBe(final.number)
  const parent = await reader.getBlock({ blockNumber: final.number - 1n })
  expect(final.parentHash).toBe(parent.hash)
  expect((await reader.getBlock({ blockNumber: 0n })).hash.slice(-8)).toBe('cd8690dc')
})

test('viem reads receipts and transactions by their Tron id', async () => {
  const host = chains()
  const hash: Hex = `0x${transfer.txID}`
  const info = await readInfo(host, transfer.txID)
  const receipt = await reader.getTransactionReceipt({ hash })
  expect(receipt.status).toBe('success')
  expect(receipt.blockNumber).toBe(BigInt(info.blockNumber as number))
  const { energy_usage_total } = info.receipt as { energy_usage_total: number }
  expect(receipt.gasUsed).toBe(BigInt(energy_usage_total))
  expect(receipt.effectiveGasPrice).toBe(100n)
  const [log] = receipt.logs
  expect(log).toMatchObject({ address: token, transactionHash: hash, logIndex: 0 })
  const block = await reader.getBlock({ blockHash: receipt.blockHash, includeTransactions: true })
  expect(block.transactions.map((transaction) => transaction.hash)).toEqual([hash])
  const transaction = await reader.getTransaction({ hash })
  expect(transaction).toMatchObject({ from: ayu.bscAddress.toLowerCase(), to: token })

  const reverted = await reader.getTransactionReceipt({ hash: `0x${failed.txID}` })
  expect(reverted.status).toBe('reverted')
  expect(reverted.logs).toEqual([])
  await expect(reader.getTransactionReceipt({ hash: `0x${'00'.repeat(32)}` })).rejects.toThrow(
    /could not be found/,
  )
})

test('viem finds logs by range, address and topics', async () => {
  const event = devTokenAbi.find((item) => item.type === 'event' && item.name === 'Transfer')
  if (event?.type !== 'event' || event.name !== 'Transfer') throw new Error('no such event')
  const { blockNumber, blockHash } = await reader.getTransactionReceipt({
    hash: `0x${transfer.txID}`,
  })
  const range = { fromBlock: 0n, toBlock: 'finalized' } as const
  const args = { from: ayu.bscAddress, to: budi.bscAddress }
  const found = await reader.getLogs({ address: token, event, args, ...range, strict: true })
  expect(found).toHaveLength(1)
  expect(found[0]).toMatchObject({
    transactionHash: `0x${transfer.txID}`,
    blockNumber,
    blockHash,
    args: { value: 42n },
  })
  const others = { from: budi.bscAddress, to: ayu.bscAddress }
  expect(await reader.getLogs({ address: token, event, args: others, ...range })).toEqual([])
  expect(await reader.getLogs({ address: budi.bscAddress, ...range })).toEqual([])
  expect(await reader.getLogs({ blockHash })).toHaveLength(1)
})

test('viem reads contracts and balances of the newest state', async () => {
  const decimals = await reader.readContract({
    address: token,
    abi: devTokenAbi,
    functionName: 'decimals',
  })
  expect(decimals).toBe(6)
  const sun = await reader.getBalance({ address: budi.bscAddress })
  expect(sun).toBe(BigInt(await tronWebOf(chains(), budi).trx.getUnconfirmedBalance()))
  expect(await reader.getCode({ address: token })).toMatch(/^0x60/)
})

test('a revert has its data and Tron’s own error code', async () => {
  const data = encodeFunctionData({ abi: stakingAbi, functionName: 'release', args: [99n] })
  const to = asArgument(chains().deployment.tron.staking)
  const { error } = await call('eth_call', { from: ayu.bscAddress, to, data }, 'latest')
  expect(error).toMatchObject({ code: -32000, message: 'REVERT opcode executed' })
  const decoded = decodeErrorResult({ abi: stakingAbi, data: error?.data as Hex })
  expect(decoded).toMatchObject({ errorName: 'Staking_UnknownStake', args: [99n] })
})

test.each([
  ['eth_getBlockByNumber', ['pending', false], -32602],
  ['eth_getBlockByNumber', ['safe', false], -32602],
  ['eth_getBalance', [ayu.bscAddress, 'finalized'], -32602],
  ['eth_getBalance', [ayu.bscAddress, '0x1'], -32602],
  ['eth_getBalance', [ayu.tronAddress, 'latest'], -32602],
  ['eth_getCode', [ayu.bscAddress, 'earliest'], -32602],
  ['eth_getLogs', [{ fromBlock: '0x0', toBlock: '0x1389' }], -32602],
  ['eth_getLogs', [{ fromBlock: '0x2', toBlock: '0x1' }], -32602],
  ['eth_getTransactionByHash', ['0x12'], -32602],
  ['eth_getTransactionCount', [ayu.bscAddress, 'latest'], -32601],
  ['eth_sendRawTransaction', ['0x00'], -32601],
])('%s(%j) is refused as by a real node', async (method, params, code) => {
  const { error } = await call(method, ...params)
  expect(error?.code).toBe(code)
  expect(error?.data).toBe('{}')
})

test.each([
  ['eth_feeHistory', ['0x1', 'latest', []]],
  ['anvil_setBalance', [ayu.bscAddress, '0x1']],
  ['debug_traceTransaction', [`0x${'00'.repeat(32)}`]],
  ['constructor', []],
])('%s(%j) is unknown, as at a real node', async (method, params) => {
  const { error } = await call(method, ...params)
  expect(error).toEqual({ code: -32601, message: 'method not found' })
})

test('up to 5,001 blocks can be searched in one call', async () => {
  const { error } = await call('eth_getLogs', { fromBlock: '0x0', toBlock: '0x1388' })
  expect(error).toBeUndefined()
})

test('a filter returns what is new since the last poll', async () => {
  const host = chains()
  const client = tronWebOf(host, ayu)
  const { result: id } = await call('eth_newFilter', { address: token })
  const { result: blocks } = await call('eth_newBlockFilter')
  expect((await call('eth_getFilterChanges', id)).result).toEqual([])
  const signed = await signedTokenTransfer(host, client, { to: budi.tronAddress, amount: 43n })
  await client.trx.sendRawTransaction(signed)
  const filtered = (await call('eth_getFilterChanges', id)).result
  expect(filtered).toMatchObject([{ transactionHash: `0x${signed.txID}` }])
  expect((await call('eth_getFilterChanges', id)).result).toEqual([])
  const hashes = (await call('eth_getFilterChanges', blocks)).result as Hex[]
  const receipt = await reader.getTransactionReceipt({ hash: `0x${signed.txID}` })
  expect(hashes).toContain(receipt.blockHash)
  expect((await call('eth_uninstallFilter', id)).result).toBe(true)
  expect((await call('eth_getFilterChanges', id)).error?.code).toBe(-32000)
})

test('several calls can be sent in one batch', async () => {
  const batch = ['eth_chainId', 'nosuchcall'].map((method, id) => ({ jsonrpc: '2.0', id, method }))
  const response = await fetch(chains().tronJsonRpcUrl, {
    method: 'POST',
    body: JSON.stringify(batch),
  })
  expect(await response.json()).toEqual([
    { jsonrpc: '2.0', id: 0, result: '0xcd8690dc' },
    { jsonrpc: '2.0', id: 1, error: expect.objectContaining({ code: -32601 }) },
  ])
})

describe('replies conform to those of a real node', () => {
  test('of every method', async () => {
    const hash = `0x${transfer.txID}`
    const { blockHash, blockNumber } = await reader.getTransactionReceipt({
      hash: `0x${transfer.txID}`,
    })
    const number = `0x${blockNumber.toString(16)}`
    const argument = { from: ayu.bscAddress, to: token, data: '0x313ce567' }
    const calls: [string, ...unknown[]][] = [
      ['web3_clientVersion'],
      ['web3_sha3', '0x68656c6c6f'],
      ['net_version'],
      ['net_listening'],
      ['net_peerCount'],
      ['eth_chainId'],
      ['eth_protocolVersion'],
      ['eth_syncing'],
      ['eth_blockNumber'],
      ['eth_gasPrice'],
      ['eth_coinbase'],
      ['eth_accounts'],
      ['eth_getBlockByHash', blockHash, true],
      ['eth_getBlockByNumber', number, true],
      ['eth_getBlockByNumber', 'latest', false],
      ['eth_getBlockTransactionCountByHash', blockHash],
      ['eth_getBlockTransactionCountByNumber', number],
      ['eth_getTransactionByHash', hash],
      ['eth_getTransactionByBlockHashAndIndex', blockHash, '0x0'],
      ['eth_getTransactionByBlockNumberAndIndex', number, '0x0'],
      ['eth_getTransactionReceipt', hash],
      ['eth_getTransactionReceipt', `0x${failed.txID}`],
      ['eth_getBlockReceipts', number],
      ['eth_getBalance', ayu.bscAddress, 'latest'],
      ['eth_getStorageAt', token, '0x0', 'latest'],
      ['eth_getCode', token, 'latest'],
      ['eth_call', argument, 'latest'],
      ['eth_estimateGas', argument],
      ['eth_getLogs', { fromBlock: number, toBlock: number }],
    ]
    for (const [method, ...params] of calls) {
      const { result, error } = await call(method, ...params)
      expect(error, method).toBeUndefined()
      expect(result, method).not.toBeNull()
      expect(checkRpcResult(method, result), method).toEqual([])
    }
  })

  test('of the builder of unsigned transactions', async () => {
    const value = '0x1'
    const { result } = await call('buildTransaction', {
      from: ayu.bscAddress,
      to: budi.bscAddress,
      value,
    })
    expect(checkRpcResult('buildTransaction', result)).toEqual([])
  })
})
