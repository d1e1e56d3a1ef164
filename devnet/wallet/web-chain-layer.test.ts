import { formatAmount } from '@dct/money'
import { toFunctionSelector } from 'viem'
import { expect, test } from 'vitest'
import { callContract } from '../../apps/web/src/shared/chain/call-contract.ts'
import { bandwidthOf, costOf, readFunds } from '../../apps/web/src/shared/chain/call-cost.ts'
import {
  addRewardForPlanCall,
  approveCall,
  joinStakeCall,
  type SendableCall,
} from '../../apps/web/src/shared/chain/contract-call.ts'
import { SLOW_SIGNING_MS } from '../../apps/web/src/shared/chain/found-wallet.ts'
import type { InjectedTronWeb } from '../../apps/web/src/shared/chain/injected.ts'
import { readTrxBalance } from '../../apps/web/src/shared/chain/read-account.ts'
import { readBalances } from '../../apps/web/src/shared/chain/read-balances.ts'
import { readAllowance } from '../../apps/web/src/shared/chain/read-token.ts'
import { readChainId } from '../../apps/web/src/shared/chain/require-network.ts'
import { type SigningWallet, sendCall } from '../../apps/web/src/shared/chain/send-call.ts'
import { readTransactionInfo } from '../../apps/web/src/shared/chain/transaction-info.ts'
import { waitForTransaction } from '../../apps/web/src/shared/chain/wait-for-transaction.ts'
import { tryOut } from '../../apps/web/src/shared/tx/execute-call.ts'
import { type KeyPair, keyPairOf } from '../src/chains/setup/keys.ts'
import { useChainHost } from '../src/chains/testing/test-host.ts'
import { admin, ayu, budi, tronWebOf } from '../src/chains/testing/tron-client.ts'

/** Runs the web app's chain layer on a wallet's TronWeb against the development chain. */
const chains = useChainHost()

function walletOf(account: KeyPair): InjectedTronWeb {
  return tronWebOf(chains(), account) as unknown as InjectedTronWeb
}

/** TronWeb refuses to sign a transaction whose bytes or hash differ from its contents. */
function signing(tronWeb: InjectedTronWeb, extraSigningMs = 0): SigningWallet {
  return {
    node: () => tronWeb,
    extraSigningMs: () => extraSigningMs,
    signTransaction: (unsigned) => tronWeb.trx.sign(unsigned),
  }
}

/** Returns the text's key instead of a translation. */
const text = (name: string, values?: object) => `${name} ${JSON.stringify(values)}`

const never = new AbortController().signal

async function send(account: KeyPair, call: SendableCall, feeLimitSun?: bigint) {
  const wallet = walletOf(account)
  const from = account.tronAddress
  const tried = await callContract(wallet, from, call)
  const use = { energy: tried.energy, bandwidth: bandwidthOf(call) }
  const cost = costOf(use, await readFunds(wallet, from))
  const input = { from, call, signal: never, feeLimitSun: feeLimitSun ?? cost.feeLimitSun }
  const sent = await sendCall(signing(wallet), input, () => undefined)
  return { sent, end: await waitForTransaction(() => wallet, sent, never) }
}

async function openPlan(planCode: string): Promise<void> {
  const { control, deployment, serviceKeys } = chains()
  await control.fundPlan({ planCode, amount: '1000' })
  const { end } = await send(serviceKeys.operator, {
    contract: deployment.tron.rewardPool,
    selector: 'openPlan(string,uint256,uint256)',
    selectorHex: toFunctionSelector('openPlan(string,uint256,uint256)').slice(2),
    args: [
      { type: 'string', value: planCode },
      { type: 'uint256', value: 360n },
      { type: 'uint256', value: 7_200n },
    ],
  })
  expect(end.status).toBe('success')
}

test('[CHAIN-02, CHAIN-08, CHAIN-14] the wallet’s balances, with the token’s decimals', async () => {
  const { token } = chains().deployment.tron
  const balances = await readBalances(walletOf(ayu), { token, owner: ayu.tronAddress })
  expect(balances).toEqual({ token: 1_000_000_000n, tokenDecimals: 6, trx: 10_000_000_000n })
})

test('an account unknown to the chain has zero balances', async () => {
  const { token } = chains().deployment.tron
  const owner = 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8'
  expect(await readBalances(walletOf(ayu), { token, owner })).toMatchObject({ token: 0n, trx: 0n })
})

test('the network is read from the first block', async () => {
  expect(await readChainId(walletOf(ayu))).toBe('0xcd8690dc')
})

test('[CHAIN-03, CHAIN-04, CHAIN-06, CHAIN-09] approve exactly the amount, then lock it', async () => {
  const { token, staking } = chains().deployment.tron
  await openPlan('WEB-360')
  const owner = ayu.tronAddress
  const amount = 25_000_000n
  const lock = joinStakeCall(staking, { amount, planCode: 'WEB-360', durationDays: 360 })
  const early = await callContract(walletOf(ayu), owner, lock)
  expect(early).toMatchObject({ ok: false, reason: { name: 'ERC20InsufficientAllowance' } })

  expect((await send(ayu, approveCall(token, staking, amount))).end.status).toBe('success')
  const allowance = { token, owner, spender: staking }
  expect(await readAllowance(walletOf(ayu), allowance)).toBe(amount)

  const { sent, end } = await send(ayu, lock)
  expect(end).toMatchObject({ status: 'success' })
  expect(await readTransactionInfo(walletOf(ayu), sent.hash)).toMatchObject({ status: 'success' })
  expect(await readAllowance(walletOf(ayu), allowance)).toBe(0n)
  const again = await callContract(walletOf(ayu), owner, lock)
  expect(again).toMatchObject({ ok: false, reason: { name: 'Staking_AlreadyStaked' } })
})

test('a plan is funded from the admin’s wallet', async () => {
  const { token, rewardPool } = chains().deployment.tron
  const amount = 5_000_000n
  expect((await send(admin, approveCall(token, rewardPool, amount))).end.status).toBe('success')
  const funding = addRewardForPlanCall(rewardPool, { planCode: 'WEB-NEW', amount })
  expect((await send(admin, funding)).end.status).toBe('success')
})

test.each([
  ['too little', { amount: 9_999_999n }, 'Staking_AmountOutOfRange'],
  ['a plan that nobody opened', { planCode: 'NOWHERE' }, 'RewardPool_PlanNotOpen'],
  ['another duration', { durationDays: 359 }, 'RewardPool_WrongDuration'],
])('a call that would fail is refused with its reason: %s', async (_case, change, name) => {
  const { staking } = chains().deployment.tron
  const join = { amount: 10_000_000n, planCode: 'WEB-360', durationDays: 360, ...change }
  const outcome = await callContract(walletOf(budi), budi.tronAddress, joinStakeCall(staking, join))
  expect(outcome).toMatchObject({ ok: false, reason: { name } })
})

test('the estimate covers what a call burns, including bandwidth, and exceeds it by no more than the margin', async () => {
  const { token, staking } = chains().deployment.tron
  const call = approveCall(token, staking, 3n)
  const account = keyPairOf(`0x${'71'.repeat(32)}`)
  await chains().control.faucet({ tronAddress: account.tronAddress, trx: '30' })
  const wallet = walletOf(account)
  const estimate = async () => {
    const { energy } = await callContract(wallet, account.tronAddress, call)
    const funds = await readFunds(wallet, account.tronAddress)
    return costOf({ energy, bandwidth: bandwidthOf(call) }, funds)
  }
  const spend = async () => {
    const before = await readTrxBalance(wallet, account.tronAddress)
    expect((await send(account, call)).end.status).toBe('success')
    return before - (await readTrxBalance(wallet, account.tronAddress))
  }
  const free = await estimate()
  expect(await spend()).toBe(free.feeSun)

  // The free bandwidth is now used up.
  const paid = await estimate()
  const burnt = await spend()
  expect(burnt).toBeGreaterThan(BigInt(paid.energy) * 100n)
  expect(paid.feeSun).toBeGreaterThanOrEqual(burnt)
  expect(paid.feeSun - burnt).toBeLessThan(10_000n)
  expect(paid.neededSun - paid.feeSun).toBe((BigInt(paid.energy) / 5n) * 100n)
})

test('a wallet with TRX for energy but not for bandwidth is refused before anything is sent', async () => {
  const { token, staking } = chains().deployment.tron
  const account = keyPairOf(`0x${'72'.repeat(32)}`)
  const { tronAddress } = account
  const wallet = walletOf(account)
  const call = approveCall(token, staking, 4n)
  await chains().control.faucet({ tronAddress, trx: '20' })
  await send(account, call)
  const { energy } = await callContract(wallet, tronAddress, call)
  const energySun = Math.floor(energy * 1.2) * 100
  const rest = Number(await readTrxBalance(wallet, tronAddress)) - energySun - 300_000
  await tronWebOf(chains(), account).trx.sendTransaction(budi.tronAddress, rest - 270_000)

  const before = await readTrxBalance(wallet, tronAddress)
  expect(Number(before)).toBeGreaterThan(energySun)
  const deps = { ...signing(wallet), text, chainText: text }
  const bandwidthSun = bandwidthOf(call) * 1_000
  const needed = formatAmount('TRX', BigInt(energySun + bandwidthSun))
  await expect(tryOut(deps, { from: tronAddress, call })).rejects.toThrow(
    `noTrx ${JSON.stringify({ needed, balance: formatAmount('TRX', before) })}`,
  )
})

test('a wallet not yet on chain is told how to activate it', async () => {
  const { token, staking } = chains().deployment.tron
  const unknown = keyPairOf(`0x${'74'.repeat(32)}`)
  const deps = { ...signing(walletOf(unknown)), text, chainText: text }
  const call = approveCall(token, staking, 4n)
  await expect(tryOut(deps, { from: unknown.tronAddress, call })).rejects.toThrow(
    'inactive {"fee":"1.100000"}',
  )
})

test('a transaction that runs out of energy has failed', async () => {
  const { token, staking } = chains().deployment.tron
  const { end } = await send(budi, approveCall(token, staking, 1n), 500_000n)
  expect(end).toMatchObject({ status: 'failed', reason: { name: 'OutOfEnergy' } })
})

test.each([
  ['a wallet', 0],
  ['a slow wallet', SLOW_SIGNING_MS],
])(
  'looking for a dropped transaction of %s ends once its time has passed, without a verdict',
  async (_name, extraMs) => {
    const { token, staking } = chains().deployment.tron
    const { control } = chains()
    const wallet = walletOf(budi)
    await control.pauseMining()
    const input = { from: budi.tronAddress, call: approveCall(token, staking, 2n) }
    const sent = await sendCall(
      signing(wallet, extraMs),
      { ...input, signal: never, feeLimitSun: 50_000_000n },
      () => undefined,
    )
    expect(await readTransactionInfo(wallet, sent.hash)).toEqual({ status: 'unknown' })
    await control.dropTransactions()
    await control.resumeMining()
    const { nowMs } = await control.info()
    expect(sent.expiresAt).toBeGreaterThan(nowMs + extraMs)
    expect(sent.expiresAt).toBeLessThanOrEqual(nowMs + extraMs + 60_000)
    await control.advanceTo({ timestampMs: nowMs + extraMs + 300_000 })
    expect(await waitForTransaction(() => wallet, sent, never)).toEqual({ status: 'unseen' })
  },
)

test('a transaction that a slow wallet signs before it expires is included; signed later, it is refused as too slow', async () => {
  const { token, staking } = chains().deployment.tron
  const { control } = chains()
  const wallet = walletOf(budi)
  const input = { from: budi.tronAddress, signal: never, feeLimitSun: 50_000_000n }
  const signsAfter = (ms: number): SigningWallet => ({
    ...signing(wallet, SLOW_SIGNING_MS),
    async signTransaction(unsigned) {
      const { nowMs } = await control.info()
      await control.advanceTo({ timestampMs: nowMs + ms })
      return wallet.trx.sign(unsigned)
    },
  })
  const call = approveCall(token, staking, 5n)
  const sent = await sendCall(signsAfter(200_000), { ...input, call }, () => undefined)
  expect(await waitForTransaction(() => wallet, sent, never)).toEqual({
    status: 'success',
    block: expect.any(Number),
  })
  await expect(
    sendCall(signsAfter(400_000), { ...input, call }, () => undefined),
  ).rejects.toMatchObject({ problem: 'tooSlow' })
})
