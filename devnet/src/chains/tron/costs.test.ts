import { devTokenAbi, rewardPoolAbi, stakingAbi } from '@dct/contract-abi'
import { type Abi, encodeFunctionData } from 'viem'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type KeyPair, keyPairOf } from '../setup/keys.ts'
import { asArgument } from '../setup/tron-wallet.ts'
import { useChainHost } from '../testing/test-host.ts'
import {
  admin,
  ayu,
  budi,
  createWallet,
  post,
  readInfo,
  refusalOf,
  signedCall,
  signedTokenTransfer,
  tronWebOf,
  trxOf,
  usedBandwidth,
} from '../testing/tron-client.ts'
import { fromBase58 } from './address.ts'
import { estimatedEnergy } from './energy.ts'
import type { Json } from './wire.ts'

/** Compares the costs of calls with a real node: java-tron on a private network with the main network's prices. */
const chains = useChainHost()

const DAY_MS = 86_400_000

type Receipt = {
  energy_usage_total?: number
  energy_penalty_total?: number
  energy_fee?: number
  net_usage?: number
  net_fee?: number
  result?: string
}
type Info = { fee?: number; receipt: Receipt; result?: string; resMessage?: string }

const infoOf = async (txId: string) => (await readInfo(chains(), txId)) as Info
const balanceOf = (account: KeyPair) => trxOf(chains(), account)
const walletWith = (seed: string, trx: string) => createWallet(chains(), seed, trx)

async function call(
  who: KeyPair,
  contract: 'token' | 'rewardPool' | 'staking',
  functionName: string,
  args: readonly unknown[],
): Promise<Info> {
  const abi: Abi = { token: devTokenAbi, rewardPool: rewardPoolAbi, staking: stakingAbi }[contract]
  const client = tronWebOf(chains(), who)
  const address = chains().deployment.tron[contract]
  const signed = await signedCall(client, { contract: address, abi, functionName, args })
  expect(await client.trx.sendRawTransaction(signed)).toMatchObject({ result: true })
  return infoOf(signed.txID)
}

function sendTokens(who: KeyPair, options: { feeLimit?: number } = {}) {
  const client = tronWebOf(chains(), who)
  const transfer = { to: budi.tronAddress, amount: 1n, ...options }
  return signedTokenTransfer(chains(), client, transfer).then(async (signed) => ({
    signed,
    reply: await client.trx.sendRawTransaction(signed),
  }))
}

describe('bandwidth', () => {
  test('600 bytes a day are free; a call that exceeds them pays for all its bytes, before energy', async () => {
    const wallet = await walletWith('61', '20')
    const first = await sendTokens(wallet)
    const free = await infoOf(first.signed.txID)
    expect(free.receipt.net_usage).toBe(345)
    expect(free.receipt).not.toHaveProperty('net_fee')
    const resource = await post(chains(), 'wallet/getaccountresource', {
      address: fromBase58(wallet.tronAddress),
    })
    expect(resource).toMatchObject({ freeNetUsed: 345, freeNetLimit: 600 })

    const before = await balanceOf(wallet)
    const second = await sendTokens(wallet)
    const paid = await infoOf(second.signed.txID)
    expect(paid.receipt).toMatchObject({ net_fee: 345_000 })
    expect(paid.receipt).not.toHaveProperty('net_usage')
    const energy = Number(paid.receipt.energy_usage_total)
    expect(paid.fee).toBe(energy * 100 + 345_000)
    expect(before - (await balanceOf(wallet))).toBe(paid.fee)
  })

  test('used bandwidth recovers within a day', async () => {
    const wallet = await walletWith('62', '20')
    const usedNow = () => usedBandwidth(chains(), wallet)
    const { signed } = await sendTokens(wallet)
    const { receipt } = await infoOf(signed.txID)
    expect(await usedNow()).toBe(receipt.net_usage)
    const { nowMs } = await chains().control.info()
    await chains().control.advanceTo({ timestampMs: nowMs + 43_200_000 })
    expect([172, 173]).toContain(await usedNow())
    await chains().control.advanceTo({ timestampMs: nowMs + 86_400_000 })
    expect(await usedNow()).toBe(0)
  })

  test('a transaction without free bandwidth and without TRX for it is refused', async () => {
    const wallet = await walletWith('63', '1.4')
    await sendTokens(wallet)
    expect(await balanceOf(wallet)).toBeLessThan(345_000)
    const { reply } = await sendTokens(wallet)
    expect(refusalOf(reply)).toBe('BANDWITH_ERROR: Account resource insufficient error.')
  })

  test('a wallet with only enough TRX for the energy runs out of energy and is left with nothing', async () => {
    const wallet = await walletWith('64', '20')
    await sendTokens(wallet)
    const { signed } = await sendTokens(wallet)
    const { receipt } = await infoOf(signed.txID)
    const energyFee = Number(receipt.energy_fee)
    const client = tronWebOf(chains(), wallet)
    // After this transfer the wallet can pay for the energy, but not quite for the bandwidth as well.
    const rest = (await balanceOf(wallet)) - energyFee - 300_000 - 265_000
    const { transaction } = await client.trx.sendTransaction(budi.tronAddress, rest)
    expect((await infoOf(transaction.txID)).receipt).toMatchObject({ net_fee: expect.any(Number) })
    const last = await sendTokens(wallet)
    expect(await infoOf(last.signed.txID)).toMatchObject({
      result: 'FAILED',
      receipt: { result: 'OUT_OF_ENERGY', net_fee: 345_000 },
    })
    expect(await balanceOf(wallet)).toBeLessThan(100)
  })
})

test('the first TRX transfer to an address creates its account for a separate fee, with or without free bandwidth', async () => {
  const sender = await walletWith('65', '20')
  const [known, unknown] = [budi, keyPairOf(`0x${'66'.repeat(32)}`)]
  const client = tronWebOf(chains(), sender)
  const feeTo = async ({ tronAddress }: KeyPair) => {
    const before = await balanceOf(sender)
    const { transaction } = await client.trx.sendTransaction(tronAddress, 1_000_000)
    const info = await infoOf(transaction.txID)
    expect(before - (await balanceOf(sender))).toBe(1_000_000 + (info.fee ?? 0))
    return info
  }
  const making = await feeTo(unknown)
  expect(making).toMatchObject({ fee: 1_100_000, receipt: { net_fee: 100_000 } })
  expect(making.receipt).not.toHaveProperty('net_usage')
  const again = await feeTo(known)
  expect(again.fee).toBeUndefined()
  expect(again.receipt.net_usage).toBeGreaterThan(0)
})

test('a memo costs an extra fee', async () => {
  const sender = await walletWith('67', '20')
  const client = tronWebOf(chains(), sender)
  const unsigned = await client.transactionBuilder.sendTrx(budi.tronAddress, 1)
  const noted = await client.transactionBuilder.addUpdateData(unsigned, 'a memo', 'utf8', {
    txLocal: true,
  })
  const sent = await client.trx.sendRawTransaction(await client.trx.sign(noted))
  expect(sent).toMatchObject({ result: true })
  const { fee, receipt } = await infoOf(sent.transaction.txID)
  expect(fee).toBe(1_000_000)
  expect(receipt).toEqual({ net_usage: expect.any(Number) })
  expect(await balanceOf(sender)).toBe(20_000_000 - 1 - 1_000_000)
})

describe('a node that runs out of time', () => {
  afterEach(async () => {
    const usual = { transactionsTimeOut: false, callsTimeOut: false }
    await chains().control.setTronBehaviour(usual)
  })

  test('a transaction that runs out of time burns the whole fee limit and changes nothing', async () => {
    await chains().control.setTronBehaviour({ transactionsTimeOut: true })
    const before = await balanceOf(ayu)
    const { signed } = await sendTokens(ayu, { feeLimit: 500_000_000 })
    const info = await infoOf(signed.txID)
    expect(info).toMatchObject({
      result: 'FAILED',
      receipt: { result: 'OUT_OF_TIME', energy_usage_total: 5_000_000, energy_fee: 500_000_000 },
    })
    expect(info).not.toHaveProperty('log')
    expect(Buffer.from(`${info.resMessage}`, 'hex').toString()).toBe('Already Time Out')
    expect(before - (await balanceOf(ayu))).toBe(info.fee)
  })

  test('a constant call can also run out of time', async () => {
    await chains().control.setTronBehaviour({ callsTimeOut: true })
    const reply = await post(chains(), 'wallet/triggerconstantcontract', {
      owner_address: fromBase58(ayu.tronAddress),
      contract_address: fromBase58(chains().deployment.tron.token),
      function_selector: 'decimals()',
    })
    const { code, message } = reply.result as Json
    expect(code).toBe('OTHER_ERROR')
    expect(Buffer.from(`${message}`, 'hex').toString()).toMatch(/CPU timeout/)
  })
})

test('a popular contract’s penalty is part of the energy that a node names, and is also named by itself', async () => {
  const tried = () =>
    post(chains(), 'wallet/triggerconstantcontract', {
      owner_address: fromBase58(ayu.tronAddress),
      contract_address: fromBase58(chains().deployment.tron.token),
      function_selector: 'approve(address,uint256)',
      parameter: '0'.repeat(63) + '1'.repeat(65),
    })
  const usual = await tried()
  expect(usual).not.toHaveProperty('energy_penalty')
  await chains().control.setTronBehaviour({ energyFactor: 34_000 })
  try {
    const [base, penalised] = [Number(usual.energy_used), await tried()]
    const penalty = Math.floor(base * 3.4)
    expect(penalised).toMatchObject({ energy_used: base + penalty, energy_penalty: penalty })

    const { receipt } = await call(ayu, 'token', 'approve', [asArgument(budi.tronAddress), 7n])
    const { energy_usage_total: total = 0, energy_fee, energy_penalty_total } = receipt
    expect(energy_penalty_total).toBe(Math.floor((total - (energy_penalty_total ?? 0)) * 3.4))
    expect(energy_fee).toBe(total * 100)
  } finally {
    await chains().control.setTronBehaviour({ energyFactor: 0 })
  }
})

test('an estimate exceeds the energy used by as much as a real node’s estimate does', () => {
  expect([22_612, 7_612].map(estimatedEnergy)).toEqual([28_265, 15_224])
})

test.each([
  ['balanceOf', [asArgument(ayu.tronAddress)], 498],
  ['transfer', [asArgument(budi.tronAddress), 1n], 12_933],
] as const)(
  'calling %s of the token takes as much energy as on a real node, within a tenth',
  async (name, args, expected) => {
    const { energy_used } = await post(chains(), 'wallet/triggerconstantcontract', {
      owner_address: fromBase58(ayu.tronAddress),
      contract_address: fromBase58(chains().deployment.tron.token),
      data: encodeFunctionData({ abi: devTokenAbi as Abi, functionName: name, args }).slice(2),
    })
    expect(energy_used).toBeGreaterThan(expected * 0.9)
    expect(energy_used).toBeLessThan(expected * 1.1)
  },
)

test('deploying the contracts takes the same energy as on a real node', async () => {
  const { token, rewardPool, staking } = chains().deployment.tron
  for (const [contract, expected] of [
    [token, 492_534],
    [rewardPool, 2_114_007],
    [staking, 1_169_797],
  ] as const) {
    const creation = await creationOf(contract)
    expect(creation.receipt.energy_usage_total).toBeGreaterThan(expected * 0.9)
    expect(creation.receipt.energy_usage_total).toBeLessThan(expected * 1.1)
    expect(creation.receipt.net_fee).toBeGreaterThan(4_000_000)
  }
})

/** The receipt of the transaction that created a contract. */
async function creationOf(contract: string): Promise<Info> {
  const found = await post(chains(), 'wallet/getcontract', { value: fromBase58(contract) })
  return infoOf(`${found.trx_hash}`)
}

describe('energy, as a real node measured it', () => {
  const measured: Record<string, number> = {}
  const note = (name: string, { receipt }: Info) => {
    measured[name] = Number(receipt.energy_usage_total)
  }

  beforeAll(async () => {
    const { tron } = chains().deployment
    const operator = chains().serviceKeys.operator
    const [pool, staking] = [asArgument(tron.rewardPool), asArgument(tron.staking)]
    note('first approve', await call(admin, 'token', 'approve', [pool, 90_000_000n]))
    note('approve again', await call(admin, 'token', 'approve', [pool, 90_000_001n]))
    const fund = (code: string) =>
      call(admin, 'rewardPool', 'addRewardForPlan', [code, 20_000_000n])
    note('first funding ever', await fund('PLAN-330'))
    note('first funding of a plan', await fund('PLAN-X'))
    note('funding again', await fund('PLAN-X'))
    const open = (code: string) => call(operator, 'rewardPool', 'openPlan', [code, 330n, 7_200n])
    note('open', await open('PLAN-X'))
    await open('PLAN-330')
    note('close', await call(operator, 'rewardPool', 'closePlan', ['PLAN-X']))
    const join = (who: KeyPair, amount: bigint) =>
      call(who, 'staking', 'joinStake', [amount, 'PLAN-330', 330n])
    note('join for a bad amount', await join(ayu, 5n))
    note('join without an allowance', await join(ayu, 10_000_000n))
    for (const who of [ayu, budi]) await call(who, 'token', 'approve', [staking, 10_000_000n])
    note('first join ever', await join(ayu, 10_000_000n))
    note('join later', await join(budi, 10_000_000n))
    const { nowMs } = await chains().control.info()
    await chains().control.advanceTo({ timestampMs: nowMs + 3 * DAY_MS })
    const pay = (before: bigint) =>
      call(operator, 'rewardPool', 'payReward', [
        'PLAN-330',
        asArgument(ayu.tronAddress),
        before,
        1_000n,
      ])
    note('first reward', await pay(0n))
    note('later reward', await pay(1_000n))
    await chains().control.advanceTo({ timestampMs: nowMs + 331 * DAY_MS })
    note('release', await call(budi, 'staking', 'release', [2n]))
    await call(ayu, 'staking', 'release', [1n])
    await fund('PLAN-330')
    await call(admin, 'token', 'approve', [staking, 10_000_000n])
    note('join while nothing is locked', await join(admin, 10_000_000n))
  })

  test.each([
    ['first approve', 22_612],
    ['approve again', 7_612],
    ['first funding ever', 72_248],
    ['first funding of a plan', 56_546],
    ['funding again', 41_546],
    ['open', 20_967],
    ['close', 7_787],
    ['join for a bad amount', 6_069],
    ['join without an allowance', 187_176],
    ['first join ever', 229_957],
    ['join while nothing is locked', 199_957],
    ['join later', 169_957],
    // Rewards once also wrote a payout id: 84,140 and 69,140, less one new storage slot and its event topic.
    ['first reward', 63_706],
    ['later reward', 48_706],
    ['release', 40_257],
  ])('%s takes %d energy, within a tenth', (name, expected) => {
    expect(measured[name]).toBeGreaterThan(expected * 0.9)
    expect(measured[name]).toBeLessThan(expected * 1.1)
  })
})
