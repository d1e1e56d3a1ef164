import { payoutVaultAbi } from '@dct/contract-abi'
import type { Hex } from 'viem'
import { expect, test } from 'vitest'
import { type Chain, useChain } from '../../contracts/test/support/chain.ts'
import { ALICE, OPERATOR, OWNER, STRANGER } from '../../contracts/test/support/system.ts'
import {
  type Claim,
  DAILY_LIMIT,
  deployVault,
  FUNDS,
  MILLIONTH,
  signClaim,
  USDT,
  type Vault,
  walletOf,
} from '../../contracts/test/support/vault.ts'
import { type Random, randomFrom } from '../world/random.ts'
import { encode } from '../world/wallet.ts'
import { type BscState, callBsc } from './bsc-state.ts'
import { type Call, real, simulated } from './contract-calls.ts'
import { paidOf } from './payout-vault.ts'
import { lower } from './token.ts'

const CHAIN_ID = 31_337
const HOUR = 3_600n
const REFERRERS = ['a referrer', 'another referrer'].map(walletOf)

let chain: Chain
let vault: Vault
let usdt: Hex
useChain(async (started) => {
  chain = started
  const deployed = await deployVault(chain)
  vault = deployed.vault
  usdt = lower(deployed.usdt.address)
})

/** The state of the deployed contracts, in TypeScript. */
function twin(): BscState {
  const address = lower(vault.address)
  const token = { address: usdt, decimals: 18, balances: new Map([[address, FUNDS]]) }
  return {
    chainId: CHAIN_ID,
    usdt: { ...token, allowances: new Map() },
    vault: {
      ...{ address, owner: lower(OWNER), operator: lower(OPERATOR), isPaused: false },
      ...{ dailyLimit: DAILY_LIMIT, today: 0n, paidToday: 0n, paid: new Map(), owed: new Map() },
    },
    bnb: new Map(),
    nonces: new Map(),
    leastGasPrice: 0n,
  }
}

/** What people sign for a claim, and how somebody changes it afterwards. */
async function drawClaim(random: Random): Promise<Claim> {
  const wallet = random.pick(REFERRERS)
  const total = BigInt(random.below(4_000_000_000))
  const to = random.pick([ALICE, STRANGER, wallet.address, vault.address, usdt])
  const kind = random.below(2)
  const signed = await signClaim(vault, wallet, { kind, to, claimed: total / 3n, total })
  if (random.chance(0.75)) return signed
  const cut: Hex = `0x${signed.signature.slice(2, -2)}`
  const odd: Hex = `0x${signed.signature.slice(2, -2)}00`
  return random.pick<Claim>([
    { ...signed, total: total + 1n },
    { ...signed, to: ALICE },
    { ...signed, kind: 1 - kind },
    { ...signed, closing: `${signed.closing}.` },
    { ...signed, signature: cut },
    { ...signed, signature: odd },
  ])
}

async function drawCall(random: Random, state: BscState): Promise<Call> {
  const to = state.vault.address
  const call = (from: Hex, name: string, args: readonly unknown[]): Call => {
    return { from: lower(from), to, data: encode(payoutVaultAbi, name, args) }
  }
  const owner = random.chance(0.8) ? OWNER : STRANGER
  const amount = BigInt(random.below(120)) * USDT
  const rule = random.below(20)
  if (rule === 0) return call(owner, random.chance(0.3) ? 'pausePayouts' : 'unpausePayouts', [])
  if (rule === 1)
    return call(owner, 'setDailyLimit', [
      random.pick([DAILY_LIMIT / 4n, DAILY_LIMIT, 5n * DAILY_LIMIT]),
    ])
  if (rule === 2)
    return call(owner, 'withdraw', [random.pick([ALICE, to]), random.pick([amount, FUNDS * 2n])])
  if (rule === 3) return call(owner, 'setOperator', [random.chance(0.9) ? OPERATOR : STRANGER])
  if (rule === 4) {
    const root = random.pick<Hex>([`0x${'01'.repeat(32)}`, `0x${'02'.repeat(32)}`])
    const day = BigInt(random.pick([20_260_130, 20_260_131]))
    return call(random.pick([OPERATOR, OWNER]), 'publishOwed', [day, root, amount])
  }
  const claim = await drawClaim(random)
  const paid = paidOf(state.vault, lower(claim.account), claim.kind)
  const left = claim.total * MILLIONTH - paid
  const sum = random.pick([amount, left, left / 2n, left + 1n])
  const before = random.chance(0.9) ? paid : paid + 1n
  const operator = random.chance(0.9) ? state.vault.operator : STRANGER
  return call(operator, 'pay', [claim, before, sum > 0n ? sum : 0n])
}

test.each([1, 2, 3])(
  'the vault in TypeScript does what that in Solidity does, call by call (%i)',
  async (seed) => {
    const random = randomFrom(seed)
    const state = twin()
    let time = await chain.now()
    let paid = 0
    for (let calls = 0; calls < 250; calls += 1) {
      time += random.pick([1n, HOUR, 7n * HOUR])
      const call = await drawCall(random, state)
      await chain.at(time)
      const expected = await real(chain, call)
      const found = simulated(state, (trial) =>
        callBsc(trial, { ...call, time: Number(time) * 1_000 }),
      )
      expect(found, `call ${calls}: ${call.data}`).toEqual(expected)
      if (typeof expected !== 'string' && expected.length === 2) paid += 1
    }
    expect(paid).toBeGreaterThan(5)
  },
)
