import { devUsdtAbi } from '@dct/contract-abi'
import {
  createPublicClient,
  createWalletClient,
  defineChain,
  type Hex,
  http,
  parseEther,
  parseUnits,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { useChainHost } from '../testing/test-host.ts'
import { askRpc, ayu, budi } from '../testing/tron-client.ts'

const chains = useChainHost()

function clients() {
  const url = chains().bscUrl
  const chain = defineChain({
    id: 97,
    name: 'BSC',
    nativeCurrency: { name: 'BNB', symbol: 'BNB', decimals: 18 },
    rpcUrls: { default: { http: [url] } },
  })
  const transport = http(url)
  const account = privateKeyToAccount(ayu.bscPrivateKey)
  return {
    reader: createPublicClient({ chain, transport, pollingInterval: 20 }),
    wallet: createWalletClient({ chain, transport, account }),
    usdt: { address: chains().deployment.bsc.usdt, abi: devUsdtAbi } as const,
  }
}

const call = (method: string, ...params: readonly unknown[]) =>
  askRpc(chains().bscUrl, method, ...params)

test('every demo account has its USDT and BNB', async () => {
  const { reader, usdt } = clients()
  const balanceOf = (address: Hex) =>
    reader.readContract({ ...usdt, functionName: 'balanceOf', args: [address] })
  expect(await balanceOf(ayu.bscAddress)).toBe(parseUnits('1000', 18))
  expect(await reader.getBalance({ address: budi.bscAddress })).toBe(parseEther('10'))
  expect(await reader.readContract({ ...usdt, functionName: 'decimals' })).toBe(18)
  const { addresses } = await chains().control.info()
  expect(await balanceOf(addresses.bsc.payoutAddress)).toBe(parseUnits('10000', 18))
})

test.each(['legacy', 'eip1559'] as const)('a %s transaction is mined immediately', async (type) => {
  const { reader, wallet, usdt } = clients()
  const args = [budi.bscAddress, 5n] as const
  const hash = await wallet.writeContract({ ...usdt, functionName: 'transfer', args, type })
  const receipt = await reader.getTransactionReceipt({ hash })
  expect(receipt.status).toBe('success')
  const logs = await reader.getContractEvents({
    ...usdt,
    eventName: 'Transfer',
    args: { from: ayu.bscAddress, to: budi.bscAddress },
    fromBlock: receipt.blockNumber,
    strict: true,
  })
  expect(logs.map(({ args: { value } }) => value)).toEqual([5n])
})

test('a transaction is final two blocks later', async () => {
  const { control } = chains()
  const { reader, wallet } = clients()
  await control.pauseMining()
  try {
    const hash = await wallet.sendTransaction({ to: budi.bscAddress, value: 1n })
    const transaction = await reader.getTransaction({ hash })
    expect(transaction.blockNumber).toBeNull()
    await control.mine({ chain: 'bsc', blocks: 2 })
    const { blockNumber } = await reader.getTransactionReceipt({ hash })
    const before = await reader.getBlock({ blockTag: 'finalized' })
    expect(before.number).toBe(blockNumber - 1n)
    await control.mine({ chain: 'bsc', blocks: 1 })
    const after = await reader.getBlock({ blockTag: 'finalized' })
    expect(after.number).toBe(blockNumber)
    expect((await reader.getBlock({ blockTag: 'safe' })).number).toBe(blockNumber + 1n)
  } finally {
    await control.resumeMining()
  }
})

test('a reorganisation drops a transaction, or includes it in another block', async () => {
  const { control } = chains()
  const { reader, wallet } = clients()
  await control.mine({ chain: 'bsc', blocks: 4 })
  const send = () => wallet.sendTransaction({ to: budi.bscAddress, value: 2n })
  const receiptOf = (hash: Hex) => reader.getTransactionReceipt({ hash })
  const lost = await send()
  await control.reorg({ chain: 'bsc', depth: 4 })
  await expect(receiptOf(lost)).rejects.toThrow(/could not be found/)

  const kept = await send()
  const { blockHash } = await receiptOf(kept)
  await control.reorg({ chain: 'bsc', depth: 4, keepTransactions: true })
  const moved = await receiptOf(kept)
  expect(moved.status).toBe('success')
  expect(moved.blockHash).not.toBe(blockHash)
})

test('waiting transactions can be dropped', async () => {
  const { control } = chains()
  const { reader, wallet } = clients()
  await control.pauseMining()
  const hash = await wallet.sendTransaction({ to: budi.bscAddress, value: 3n })
  await control.dropTransactions()
  await control.resumeMining()
  await control.mine({ chain: 'bsc', blocks: 1 })
  await expect(reader.getTransaction({ hash })).rejects.toThrow(/could not be found/)
})

test.each([
  'anvil_setBalance',
  'anvil_impersonateAccount',
  'evm_mine',
  'evm_increaseTime',
  'hardhat_setCode',
  'debug_traceTransaction',
  'txpool_content',
  'eth_sendTransaction',
  'eth_sign',
  'eth_sendUnsignedTransaction',
  'personal_sign',
  'ots_getApiLevel',
])('%s is not available to outsiders', async (method) => {
  const params = [{ from: ayu.bscAddress, to: budi.bscAddress, value: '0x1' }]
  expect((await call(method, ...params)).error?.code).toBe(-32601)
})

test('no accounts are exposed', async () => {
  expect((await call('eth_accounts')).result).toEqual([])
})

test('an error reply has the chain’s own message', async () => {
  const { error } = await call('eth_sendRawTransaction', '0x1234')
  expect(error).toMatchObject({ code: expect.any(Number), message: expect.any(String) })
})
