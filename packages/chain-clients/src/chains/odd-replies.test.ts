import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import type { Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { NodeUnfit } from '../nodes/failures.ts'
import { createEvmClient, createTronClient, type EvmNode, type TronNode } from './index.ts'

/** What one node answers to each JSON-RPC method or HTTP path: fitting replies, of which a test changes one. */
type Replies = Record<string, unknown>
const HASH: Hex = `0x${'ab'.repeat(32)}`
const ADDRESS: Hex = `0x${'11'.repeat(20)}`
const idOf = (number: number) => `${number.toString(16).padStart(16, '0')}${'cd'.repeat(24)}`
const LOG = { address: ADDRESS, topics: [HASH], data: '0x' }
const BLOCK = { number: '0x5', hash: `0x${idOf(5)}`, timestamp: '0x65000000' }
const RECEIPT = {
  ...{ transactionHash: HASH, blockNumber: '0x5', blockHash: BLOCK.hash, status: '0x1' },
  ...{ logs: [LOG], gasUsed: '0x5208', effectiveGasPrice: '0x1' },
}
const TRANSACTION = { hash: HASH, from: ADDRESS, to: null, input: '0x', nonce: '0x1' }
const FOUND = {
  ...LOG,
  transactionHash: HASH,
  blockNumber: '0x5',
  blockHash: HASH,
  logIndex: '0x0',
}
const EVM: Replies = {
  eth_chainId: '0x38',
  eth_blockNumber: '0x5',
  eth_getBlockByNumber: BLOCK,
  eth_getTransactionReceipt: RECEIPT,
  eth_getBlockReceipts: [RECEIPT],
  eth_getTransactionByHash: TRANSACTION,
  eth_getTransactionCount: '0x1',
  eth_getBalance: '0x1',
  eth_gasPrice: '0x1',
  eth_call: '0x01',
  eth_estimateGas: '0x1',
  eth_getCode: '0x',
  eth_getLogs: [FOUND],
}
const RAW = { number: 5, timestamp: 1_700_000_000_000 }
const SOLID = { blockID: idOf(5), block_header: { raw_data: RAW } }
const TRON_LOG = { address: '11'.repeat(20), topics: [HASH.slice(2)] }
const INFO = {
  ...{ id: HASH.slice(2), blockNumber: 5, blockTimeStamp: RAW.timestamp, log: [TRON_LOG] },
  receipt: { result: 'SUCCESS' },
}
const VALUE = { owner_address: `41${'11'.repeat(20)}`, contract_address: `41${'22'.repeat(20)}` }
const CONTRACT = { type: 'TriggerSmartContract', parameter: { value: VALUE } }
const PRICES = [
  { key: 'getEnergyFee', value: 100 },
  { key: 'getTransactionFee', value: 1_000 },
]
const TRON: Replies = {
  ...EVM,
  '/walletsolidity/getnowblock': SOLID,
  '/walletsolidity/gettransactioninfobyid': INFO,
  '/walletsolidity/gettransactioninfobyblocknum': [INFO],
  '/wallet/gettransactionbyid': { txID: HASH.slice(2), raw_data: { contract: [CONTRACT] } },
  '/wallet/getaccount': { address: `41${'11'.repeat(20)}`, balance: 7 },
  '/wallet/getaccountresource': { freeNetLimit: 600 },
  '/wallet/getchainparameters': { chainParameter: PRICES },
  '/wallet/getcontractinfo': { runtimecode: '60' },
  '/wallet/triggerconstantcontract': { result: { result: true }, constant_result: ['01'] },
}

let replies: Replies
/** The body instead of what `replies` contain. */
let body: string | Buffer | undefined
const server = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const { method, id } = JSON.parse(`${Buffer.concat(chunks)}`)
    const reply = method === undefined ? replies[request.url ?? ''] : replies[method]
    response.end(body ?? JSON.stringify(method === undefined ? reply : { id, result: reply }))
  })
})
let url = ''
beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => void server.close())

const FILTER = { addresses: [ADDRESS] }
const ofEvm: Record<string, (node: EvmNode) => Promise<unknown>> = {
  eth_chainId: (node) => node.chainId(),
  eth_blockNumber: (node) => node.headNumber(),
  eth_getBlockByNumber: (node) => node.block(5n),
  eth_getTransactionReceipt: (node) => node.receipt(HASH),
  eth_getBlockReceipts: (node) => node.receiptsIn(5n, []),
  eth_getTransactionByHash: (node) => node.transaction(HASH),
  eth_getTransactionCount: (node) => node.nonceOf(ADDRESS, 'final'),
  eth_getBalance: (node) => node.balanceOf(ADDRESS),
  eth_gasPrice: (node) => node.gasPrice(),
  eth_call: (node) => node.simulate({ from: ADDRESS, to: ADDRESS, data: '0x' }),
  eth_estimateGas: (node) => node.simulate({ from: ADDRESS, to: ADDRESS, data: '0x' }),
  eth_getCode: (node) => node.code(ADDRESS),
  eth_getLogs: (node) => node.logs(FILTER, { from: 5n, to: 5n }),
}
const ofTron: Record<string, (node: TronNode) => Promise<unknown>> = {
  '/walletsolidity/getnowblock': (node) => node.anchor(),
  '/walletsolidity/gettransactioninfobyid': (node) => node.receipt(HASH),
  '/walletsolidity/gettransactioninfobyblocknum': (node) => node.receiptsIn(5n, []),
  '/wallet/gettransactionbyid': (node) => node.transaction(HASH),
  '/wallet/getaccount': (node) => node.resources(ADDRESS),
  '/wallet/getaccountresource': (node) => node.resources(ADDRESS),
  '/wallet/getchainparameters': (node) => node.prices(),
  '/wallet/getcontractinfo': (node) => node.code(ADDRESS),
  '/wallet/triggerconstantcontract': (node) =>
    node.simulate({ from: ADDRESS, contract: ADDRESS, data: '0x' }),
}
const CALLS: [string, () => Promise<unknown>][] = [
  ...Object.entries(ofEvm).map(([call, ask]): [string, () => Promise<unknown>] => [
    call,
    () => ask(createEvmClient({ url })),
  ]),
  ...Object.entries(ofTron).map(([call, ask]): [string, () => Promise<unknown>] => [
    call,
    () => ask(createTronClient({ http: { url }, jsonRpc: { url } })),
  ]),
]

async function outcomeOf(ask: () => Promise<unknown>): Promise<unknown> {
  return ask().catch((error: unknown) => error)
}

function expectUnfit(outcome: unknown): void {
  expect(outcome).toBeInstanceOf(NodeUnfit)
  expect((outcome as NodeUnfit).message).toContain('127.0.0.1')
}

describe.each(CALLS)('%s', (call, ask) => {
  test('a fitting reply is read', async () => {
    ;[replies, body] = [TRON, undefined]
    expect(await outcomeOf(ask)).not.toBeInstanceOf(Error)
  })

  test.each([
    ['a list of nothing in it', [null]],
    ['a number', 5],
    ['a text', 'latest'],
    ['hex that is cut', '0xabc'],
    ['an object of others', { other: 1 }],
    ['true', true],
  ])('a reply with %s is the fault of the node', async (_what, odd) => {
    // Code and results of calls are hex of any length.
    ;[replies, body] = [{ ...TRON, [call]: odd }, undefined]
    const isFitting =
      [
        'eth_blockNumber',
        'eth_chainId',
        'eth_getTransactionCount',
        'eth_getBalance',
        'eth_gasPrice',
        'eth_estimateGas',
      ].includes(call) && odd === '0xabc'
    const isEmptyContract =
      /getcontractinfo|getaccount|accountresource/.test(call) &&
      typeof odd === 'object' &&
      !Array.isArray(odd)
    const outcome = await outcomeOf(ask)
    if (isFitting || isEmptyContract) expect(outcome).not.toBeInstanceOf(Error)
    else expectUnfit(outcome)
  })

  test.each([
    ['a page', '<!doctype html><title>502</title>'],
    ['gzip without its header', gzipSync('{"id":1,"result":"0x1"}')],
    ['a cut text', '{"jsonrpc":"2.0","id":1,"res'],
    ['nothing', ''],
    ['null', 'null'],
    ['a complaint that is no text', '{"Error":{"toString":1}}'],
    ['an answer to another request', '{"jsonrpc":"2.0","id":77,"result":null}'],
  ])('%s instead of a reply is the fault of the node', async (_what, odd) => {
    ;[replies, body] = [TRON, odd]
    const outcome = await outcomeOf(ask)
    const isEmptyContract =
      /getcontractinfo|getaccount|accountresource/.test(call) && odd.includes('77')
    if (!isEmptyContract) expectUnfit(outcome)
  })
})

test('an error whose parts are no text is the fault of the node', async () => {
  const odd = { toString: 1 }
  body = JSON.stringify({ error: { message: odd, code: odd, data: odd } })
  expectUnfit(await outcomeOf(() => createEvmClient({ url }).chainId()))
})

/** Replies of the right shape that contradict the question or themselves. */
test.each<[string, string, unknown]>([
  ['another block', 'eth_getBlockByNumber', { ...BLOCK, number: '0x6' }],
  ['a time in milliseconds', 'eth_getBlockByNumber', { ...BLOCK, timestamp: '0x18bcfe56800' }],
  [
    'the receipt of another',
    'eth_getTransactionReceipt',
    { ...RECEIPT, transactionHash: BLOCK.hash },
  ],
  ['a receipt of another block', 'eth_getTransactionReceipt', { ...RECEIPT, blockHash: HASH }],
  ['a receipt without a block', 'eth_getTransactionReceipt', { ...RECEIPT, blockNumber: null }],
  [
    'a receipt without a price',
    'eth_getTransactionReceipt',
    { ...RECEIPT, effectiveGasPrice: undefined },
  ],
  ['a third status', 'eth_getTransactionReceipt', { ...RECEIPT, status: '0x2' }],
  ['a number that is no hex', 'eth_getTransactionReceipt', { ...RECEIPT, blockNumber: 5 }],
  ['logs that are null', 'eth_getTransactionReceipt', { ...RECEIPT, logs: null }],
  ['receipts of another block', 'eth_getBlockReceipts', [{ ...RECEIPT, blockNumber: '0x6' }]],
  ['another transaction', 'eth_getTransactionByHash', { ...TRANSACTION, hash: BLOCK.hash }],
  ['a log of another contract', 'eth_getLogs', [{ ...FOUND, address: `0x${'22'.repeat(20)}` }]],
  ['a log outside the range', 'eth_getLogs', [{ ...FOUND, blockNumber: '0x6' }]],
  ['null where a number is due', 'eth_getTransactionCount', null],
  ['an empty number', 'eth_gasPrice', '0x'],
  ['an id of another block', '/walletsolidity/getnowblock', { ...SOLID, blockID: idOf(6) }],
  [
    'a time in seconds',
    '/walletsolidity/getnowblock',
    { ...SOLID, block_header: { raw_data: { ...RAW, timestamp: 1_700_000_000 } } },
  ],
  ['the info of another', '/walletsolidity/gettransactioninfobyid', { ...INFO, id: idOf(1) }],
  [
    'an info without a block',
    '/walletsolidity/gettransactioninfobyid',
    { ...INFO, blockNumber: undefined },
  ],
  [
    'a block number that is null',
    '/walletsolidity/gettransactioninfobyid',
    { ...INFO, blockNumber: null },
  ],
  ['a negative fee', '/walletsolidity/gettransactioninfobyid', { ...INFO, fee: -1 }],
  [
    'infos of another block',
    '/walletsolidity/gettransactioninfobyblocknum',
    [{ ...INFO, blockNumber: 6 }],
  ],
  ['another account', '/wallet/getaccount', { address: `41${'22'.repeat(20)}` }],
  ['parameters without a price', '/wallet/getchainparameters', { chainParameter: [] }],
])('%s is the fault of the node: %s', async (_what, call, odd) => {
  ;[replies, body] = [{ ...TRON, [call]: odd }, undefined]
  const ask = CALLS.find(([name]) => name === call)?.[1]
  expectUnfit(await outcomeOf(async () => ask?.()))
})

test('the energy of a trial run is what the node names, which includes a penalty', async () => {
  const reply = { result: { result: true }, constant_result: ['01'], energy_used: 31_895 }
  replies = { ...TRON, '/wallet/triggerconstantcontract': { ...reply, energy_penalty: 17_245 } }
  body = undefined
  const node = createTronClient({ http: { url }, jsonRpc: { url } })
  const outcome = await node.simulate({ from: ADDRESS, contract: ADDRESS, data: '0x' })
  expect(outcome).toMatchObject({ succeeded: true, used: 31_895n })
})
