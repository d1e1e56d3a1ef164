import { devTokenAbi, devUsdtAbi, rewardPoolAbi } from '@dct/contract-abi'
import { type Abi, createPublicClient, type Hex, http } from 'viem'
import { expect, test } from 'vitest'
import { keyPairOf } from '../setup/keys.ts'
import { asArgument } from '../setup/tron-wallet.ts'
import { useChainHost } from '../testing/test-host.ts'
import { ayu, budi, readInfo, signedTokenTransfer, tronWebOf } from '../testing/tron-client.ts'
import { createControlClient } from './control-client.ts'

const chains = useChainHost()
const DAY_MS = 86_400_000
/** How far the chains may lag on a busy machine. */
const SLACK_MS = 30_000
/** 00:00 in Jakarta. */
const BUSINESS_DAY_SHIFT_MS = 7 * 3_600_000

const tronReader = () => createPublicClient({ transport: http(chains().tronJsonRpcUrl) })
const bscReader = () => createPublicClient({ transport: http(chains().bscUrl) })

async function readTron<T>(abi: Abi, functionName: string, ...args: unknown[]): Promise<T> {
  const { token, rewardPool } = chains().deployment.tron
  const address = asArgument(abi === devTokenAbi ? token : rewardPool)
  return (await tronReader().readContract({ address, abi, functionName, args })) as T
}

function readUsdt(address: Hex): Promise<bigint> {
  const { usdt } = chains().deployment.bsc
  const call = { address: usdt, abi: devUsdtAbi, functionName: 'balanceOf' } as const
  return bscReader().readContract({ ...call, args: [address] })
}

test('the demo accounts start with their documented funds', async () => {
  const { accounts } = await chains().control.info()
  expect(accounts.filter(({ role }) => role === 'admin').length).toBeGreaterThanOrEqual(1)
  expect(accounts.filter(({ role }) => role === 'holder').length).toBeGreaterThanOrEqual(5)
  const client = tronWebOf(chains(), ayu)
  for (const { tronAddress, bscAddress, tronPrivateKey, bscPrivateKey } of accounts) {
    expect(await readTron<bigint>(devTokenAbi, 'balanceOf', bscAddress)).toBe(1_000_000_000n)
    expect(await client.trx.getUnconfirmedBalance(tronAddress)).toBe(10_000_000_000)
    expect(await readUsdt(bscAddress)).toBe(1_000n * 10n ** 18n)
    expect(await bscReader().getBalance({ address: bscAddress })).toBe(10n ** 19n)
    expect(keyPairOf(bscPrivateKey)).toMatchObject({ tronAddress, bscAddress, tronPrivateKey })
  }
})

test('the contracts are bound to each other and have their roles', async () => {
  const { deployment, serviceKeys } = chains()
  const { token, staking } = deployment.tron
  expect(await readTron<Hex>(rewardPoolAbi, 'token')).toMatch(anyCase(token))
  expect(await readTron<Hex>(rewardPoolAbi, 'staking')).toMatch(anyCase(staking))
  expect(await readTron<Hex>(rewardPoolAbi, 'operator')).toBe(serviceKeys.operator.bscAddress)
  expect(await readTron<Hex>(rewardPoolAbi, 'owner')).toBe(serviceKeys.owner.bscAddress)
})

const anyCase = (address: string) => new RegExp(asArgument(address), 'i')

test('a block is made every second, with the clock’s time', async () => {
  const { control } = chains()
  const before = await control.info()
  const newBlocks = async () => {
    const { tron, bsc } = await control.info()
    const onTron = tron.head.number - before.tron.head.number
    return Math.min(onTron, bsc.head.number - before.bsc.head.number)
  }
  await expect.poll(newBlocks).toBeGreaterThanOrEqual(3)
  const after = await control.info()
  for (const { head } of [after.tron, after.bsc]) {
    expect(head.timestampMs).toBeLessThanOrEqual(after.nowMs)
    expect(head.timestampMs).toBeGreaterThan(after.nowMs - SLACK_MS)
  }
})

test('advancing moves the head and the final block of both chains to the new day', async () => {
  const host = chains()
  const client = tronWebOf(host, ayu)
  const { nowMs } = await host.control.info()
  const signed = await signedTokenTransfer(host, client, { to: budi.tronAddress, amount: 1n })
  await client.trx.sendRawTransaction(signed)
  const day = Math.floor((nowMs + BUSINESS_DAY_SHIFT_MS) / DAY_MS) + 1
  const timestampMs = day * DAY_MS - BUSINESS_DAY_SHIFT_MS
  const heads = await host.control.advanceTo({ timestampMs })
  for (const { head, final } of [heads.tron, heads.bsc]) {
    expect(final.timestampMs).toBeGreaterThanOrEqual(timestampMs)
    expect(head.timestampMs).toBeGreaterThanOrEqual(final.timestampMs)
    expect(head.timestampMs).toBeLessThan(timestampMs + SLACK_MS)
  }
  expect(heads.nowMs).toBeGreaterThanOrEqual(timestampMs)
  expect((await client.trx.getTransactionInfo(signed.txID)).receipt.result).toBe('SUCCESS')

  const again = await host.control.advanceTo({ timestampMs: timestampMs - DAY_MS })
  expect(again.offsetMs).toBe(heads.offsetMs)
})

test('block timestamps never decrease', async () => {
  const { control } = chains()
  const first = await control.info()
  await control.advanceTo({ timestampMs: first.nowMs + DAY_MS })
  await control.mine({ chain: 'tron', blocks: 5 })
  await control.reorg({ chain: 'tron', depth: 3 })
  await control.faucet({ tronAddress: ayu.tronAddress, dct: '1' })
  const { tron } = await control.info()
  let last = 0
  for (let number = first.tron.head.number; number <= tron.head.number; number += 1) {
    const block = await tronReader().getBlock({ blockNumber: BigInt(number) })
    expect(Number(block.timestamp)).toBeGreaterThanOrEqual(last)
    last = Number(block.timestamp)
  }
})

test('advancing 400 days from another process, with a transaction on every tenth', async () => {
  const host = chains()
  const control = createControlClient(host.controlUrl)
  const client = tronWebOf(host, ayu)
  let { nowMs } = await control.info()
  const start = performance.now()
  for (let day = 1; day <= 400; day += 1) {
    nowMs += DAY_MS
    await control.advanceTo({ timestampMs: nowMs })
    if (day % 10 === 0) await client.trx.sendTransaction(budi.tronAddress, day)
  }
  const heads = await control.finalize()
  console.log(`400 days of both chains: ${Math.round(performance.now() - start)} ms`)
  expect(heads.tron.final.timestampMs).toBeGreaterThanOrEqual(nowMs)
})

test('the faucet gives every asset, in amounts of the asset’s unit', async () => {
  const { control } = chains()
  const { tronAddress, bscAddress } = keyPairOf(`0x${'6a'.repeat(32)}`)
  const request = { tronAddress, bscAddress, dct: '1.5', trx: '2.25', usdt: '3.75', bnb: '0.5' }
  await Promise.all([control.faucet(request), control.faucet(request)])
  expect(await readTron<bigint>(devTokenAbi, 'balanceOf', bscAddress)).toBe(3_000_000n)
  const client = tronWebOf(chains(), ayu)
  expect(await client.trx.getUnconfirmedBalance(tronAddress)).toBe(4_500_000)
  expect(await readUsdt(bscAddress)).toBe(75n * 10n ** 17n)
  expect(await bscReader().getBalance({ address: bscAddress })).toBe(10n ** 18n)
})

test('funds given while time advances arrive', async () => {
  const { control } = chains()
  const { tronAddress, bscAddress } = keyPairOf(`0x${'6b'.repeat(32)}`)
  const { nowMs } = await control.info()
  const days = Array.from({ length: 10 }, (_, index) => nowMs + (index + 1) * DAY_MS)
  await Promise.all([
    ...days.map((timestampMs) => control.advanceTo({ timestampMs })),
    ...days.map(() => control.faucet({ tronAddress, bscAddress, dct: '1', usdt: '1' })),
  ])
  expect(await readTron<bigint>(devTokenAbi, 'balanceOf', bscAddress)).toBe(10_000_000n)
  expect(await readUsdt(bscAddress)).toBe(10n ** 19n)
})

test('invalid times, counts and chains are refused', async () => {
  const control = createControlClient(chains().controlUrl)
  await expect(control.advanceTo({ timestampMs: Number.NaN })).rejects.toThrow(RangeError)
  await expect(control.mine({ chain: 'tron', blocks: -1 })).rejects.toThrow(RangeError)
  await expect(control.reorg({ chain: 'solana' as 'bsc', depth: 1 })).rejects.toThrow(RangeError)
})

test.each([
  { tronAddress: 'T123', dct: '1' },
  { tronAddress: ayu.tronAddress, dct: '0.0000001' },
  { tronAddress: ayu.tronAddress, dct: '-1' },
  { bscAddress: '0x12', usdt: '1' },
  { dct: '1' },
  { tronAddress: ayu.tronAddress, usdt: '1' },
])('the faucet refuses %j', async (request) => {
  const control = createControlClient(chains().controlUrl)
  await expect(control.faucet(request)).rejects.toThrow(RangeError)
})

test('a plan is funded from the admin’s wallet', async () => {
  const { control } = chains()
  const funding = { planCode: 'PLAN-360', amount: '10000' }
  const { transactionId, tronAddress } = await control.fundPlan(funding)
  const { accounts } = await control.info()
  const admin = accounts.find(({ role }) => role === 'admin')
  expect(tronAddress).toBe(admin?.tronAddress)
  const info = await readInfo(chains(), transactionId)
  expect(info.receipt).toMatchObject({ result: 'SUCCESS' })
  const plan = await readTron<{ funded: bigint }>(rewardPoolAbi, 'plans', 'PLAN-360')
  expect(plan.funded).toBe(10_000_000_000n)
  expect(await readTron<bigint>(devTokenAbi, 'balanceOf', admin?.bscAddress)).toBe(1_000_000_000n)
})

test('the chains cannot be controlled without the secret', async () => {
  const { controlUrl } = chains()
  const { origin } = new URL(controlUrl)
  const attempts = [`${origin}/info`, `${origin}//info`, `${origin}/${'0'.repeat(32)}/info`]
  for (const url of attempts) {
    expect((await fetch(url, { method: 'POST' })).status).toBe(404)
  }
  expect((await fetch(`${controlUrl}/info`)).status).toBe(404)
  expect((await fetch(`${controlUrl}/constructor`, { method: 'POST' })).status).toBe(404)
  const reply = await fetch(`${controlUrl}/info`, { method: 'POST' })
  expect(reply.headers.get('access-control-allow-origin')).toBeNull()
})
