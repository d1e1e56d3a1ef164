import { devTokenAbi } from '@dct/contract-abi'
import { decodeFunctionResult, encodeFunctionData } from 'viem'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { KeyPair } from '../setup/keys.ts'
import { asArgument } from '../setup/tron-wallet.ts'
import { useChainHost } from '../testing/test-host.ts'
import {
  askRpc,
  ayu,
  budi,
  createWallet,
  post,
  readInfo,
  refusalOf,
  type SignedTransaction,
  signedTokenTransfer,
  tronWebOf,
  trxOf,
  usedBandwidth,
} from '../testing/tron-client.ts'
import { fromBase58 } from './address.ts'
import type { Json } from './wire.ts'

/** How a node shows transactions that are not in a block yet, and blocks with several transactions. */
const chains = useChainHost()

beforeEach(async () => {
  await chains().control.finalize()
  await chains().control.pauseMining()
})
afterEach(() => chains().control.resumeMining())

async function tokensOf(address: string): Promise<bigint> {
  const call = { abi: devTokenAbi, functionName: 'balanceOf' } as const
  const reply = await post(chains(), 'wallet/triggerconstantcontract', {
    owner_address: fromBase58(address),
    contract_address: fromBase58(chains().deployment.tron.token),
    data: encodeFunctionData({ ...call, args: [asArgument(address)] }).slice(2),
  })
  const [output] = reply.constant_result as string[]
  return decodeFunctionResult({ ...call, data: `0x${output}` })
}

async function broadcast(amount: bigint, from: KeyPair = ayu) {
  const client = tronWebOf(chains(), from)
  const signed = await signedTokenTransfer(chains(), client, { to: budi.tronAddress, amount })
  return { signed, reply: await client.trx.sendRawTransaction(signed) }
}

async function send(amount: bigint, from?: KeyPair): Promise<SignedTransaction> {
  const { signed, reply } = await broadcast(amount, from)
  expect(reply).toMatchObject({ result: true })
  return signed
}

const infoOf = ({ txID }: SignedTransaction) => readInfo(chains(), txID)

async function walletWith(seed: string, trx: string): Promise<KeyPair> {
  await chains().control.resumeMining()
  const wallet = await createWallet(chains(), seed, trx)
  await chains().control.pauseMining()
  return wallet
}

const jsonRpc = async (method: string, ...params: unknown[]) =>
  (await askRpc(chains().tronJsonRpcUrl, method, ...params)).result as Json & Json[]

test('a waiting transaction affects balances, is found by its id, has no receipt, and can be dropped', async () => {
  const before = { tokens: await tokensOf(ayu.tronAddress), trx: await trxOf(chains(), ayu) }
  const waiting = await send(7n)
  const { txID } = waiting
  expect(await tokensOf(ayu.tronAddress)).toBe(before.tokens - 7n)
  expect(await trxOf(chains(), ayu)).toBeLessThan(before.trx)
  expect(await post(chains(), 'wallet/gettransactionbyid', { value: txID })).toMatchObject({ txID })
  expect(await infoOf(waiting)).toEqual({})
  expect(await post(chains(), 'walletsolidity/gettransactionbyid', { value: txID })).toEqual({})

  await chains().control.dropTransactions()
  expect(await tokensOf(ayu.tronAddress)).toBe(before.tokens)
  expect(await trxOf(chains(), ayu)).toBe(before.trx)
  expect(await post(chains(), 'wallet/gettransactionbyid', { value: txID })).toEqual({})
})

test('a second transaction that the first makes impossible is refused or fails', async () => {
  const all = await tokensOf(ayu.tronAddress)
  const first = await send(all)
  const second = await send(1n)
  await chains().control.mine({ chain: 'tron', blocks: 1 })
  expect((await infoOf(first)).receipt).toMatchObject({ result: 'SUCCESS' })
  expect((await infoOf(second)).receipt).toMatchObject({ result: 'REVERT' })
})

test('waiting transactions are included in one block, with logs numbered across the block', async () => {
  const client = tronWebOf(chains(), budi)
  const sent: string[] = []
  for (const amount of [1n, 2n, 3n]) {
    const signed = await signedTokenTransfer(chains(), client, { to: ayu.tronAddress, amount })
    await client.trx.sendRawTransaction(signed)
    sent.push(signed.txID)
  }
  await chains().control.mine({ chain: 'tron', blocks: 1 })
  const infos = await Promise.all(sent.map((txId) => readInfo(chains(), txId)))
  const [{ blockNumber } = {}] = infos
  expect(infos.map((info) => info.blockNumber)).toEqual([blockNumber, blockNumber, blockNumber])
  const block = await post(chains(), 'wallet/getblockbynum', { num: blockNumber })
  expect((block.transactions as Json[]).map(({ txID }) => txID)).toEqual(sent)
  expect(await post(chains(), 'wallet/gettransactioninfobyblocknum', { num: blockNumber })).toEqual(
    infos,
  )
  const number = `0x${Number(blockNumber).toString(16)}`
  const logs = await jsonRpc('eth_getLogs', { fromBlock: number, toBlock: number })
  expect(logs.map(({ logIndex }) => logIndex)).toEqual(['0x0', '0x1', '0x2'])
  expect(logs.map(({ transactionIndex }) => transactionIndex)).toEqual(['0x0', '0x1', '0x2'])
  const receipts = await Promise.all(
    sent.map((id) => jsonRpc('eth_getTransactionReceipt', `0x${id}`)),
  )
  const used = infos.map(({ receipt }) => Number((receipt as Json).energy_usage_total))
  expect(receipts.map(({ cumulativeGasUsed }) => Number(cumulativeGasUsed))).toEqual([
    used[0],
    Number(used[0]) + Number(used[1]),
    Number(used[0]) + Number(used[1]) + Number(used[2]),
  ])
})

test('a transaction that expired while waiting is never included', async () => {
  const { txID } = await send(5n)
  const { nowMs } = await chains().control.info()
  await chains().control.advanceTo({ timestampMs: nowMs + 120_000 })
  expect(await post(chains(), 'wallet/gettransactionbyid', { value: txID })).toEqual({})
})

test('of two waiting transactions, the second has the bandwidth and TRX left by the first', async () => {
  const wallet = await walletWith('91', '2.5')
  const [first, second] = [await send(1n, wallet), await send(2n, wallet)]
  const shown = await trxOf(chains(), wallet)
  await chains().control.mine({ chain: 'tron', blocks: 1 })
  const [free, paid] = [await infoOf(first), await infoOf(second)]
  expect(free.receipt).toMatchObject({ result: 'SUCCESS', net_usage: 345 })
  expect(paid.receipt).toMatchObject({ result: 'OUT_OF_ENERGY', net_fee: 345_000 })
  const left = 2_500_000 - Number(free.fee) - Number(paid.fee)
  expect([await trxOf(chains(), wallet), shown]).toEqual([left, left])
})

test('a second transaction is refused when the waiting one leaves no bandwidth and no TRX for it', async () => {
  const wallet = await walletWith('92', '1.4')
  await send(1n, wallet)
  const { reply } = await broadcast(2n, wallet)
  expect(refusalOf(reply)).toBe('BANDWITH_ERROR: Account resource insufficient error.')
})

test('waiting transactions keep waiting while blocks are replaced', async () => {
  const signed = await send(6n)
  await chains().control.reorg({ chain: 'tron', depth: 1 })
  expect(await infoOf(signed)).toEqual({})
  await chains().control.mine({ chain: 'tron', blocks: 1 })
  expect((await infoOf(signed)).receipt).toMatchObject({ result: 'SUCCESS' })
})

test('replacing a transaction’s block frees the bandwidth that it used', async () => {
  const wallet = await walletWith('93', '20')
  const used = () => usedBandwidth(chains(), wallet)
  await send(1n, wallet)
  await chains().control.mine({ chain: 'tron', blocks: 1 })
  expect(await used()).toBe(345)
  await chains().control.reorg({ chain: 'tron', depth: 1 })
  expect(await used()).toBe(0)
})
