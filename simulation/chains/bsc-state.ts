/** The state of BSC: USDT, the vault that pays referrers, BNB and nonces. */

import type { Hex } from 'viem'
import { Reverted } from './abi.ts'
import type { Outcome, Transaction } from './chain.ts'
import { copyOf } from './copy.ts'
import { callVault, type VaultState } from './payout-vault.ts'
import { callToken, type Effect, type TokenState } from './token.ts'

export type BscState = {
  chainId: number
  usdt: TokenState
  vault: VaultState
  /** Wei. */
  bnb: Map<Hex, bigint>
  nonces: Map<Hex, number>
  /** Blocks include only what pays this much for gas. */
  leastGasPrice: bigint
}

export const GAS = 60_000n
export const GAS_PRICE = 100_000_000n

/** What a wallet offers for gas: the usual price, or more while blocks demand it. */
export function offeredGasPrice({ leastGasPrice }: BscState): bigint {
  if (leastGasPrice < GAS_PRICE) return GAS_PRICE
  return leastGasPrice
}

/** @throws Reverted */
export function callBsc(
  { usdt, vault, chainId }: Pick<BscState, 'usdt' | 'vault' | 'chainId'>,
  { from, to, data, time }: { from: Hex; to: Hex; data: Hex; time: number },
): Effect {
  if (to === usdt.address) return callToken(usdt, from, data)
  const nowS = BigInt(Math.floor(time / 1_000))
  if (to === vault.address) return callVault({ vault, token: usdt, from, nowS, chainId }, data)
  return { output: '0x', logs: [] }
}

export function admitOnBsc(state: BscState, { from, nonce = 0, gasPrice = 0n }: Transaction) {
  const next = state.nonces.get(from) ?? 0
  if (nonce < next) return 'never'
  const isPaid = (state.bnb.get(from) ?? 0n) >= GAS * gasPrice && gasPrice >= state.leastGasPrice
  return nonce === next && isPaid ? 'now' : 'later'
}

export function runOnBsc(
  state: BscState,
  { from, to, data, nonce = 0, gasPrice = 0n }: Transaction,
  { time }: { time: number },
): Outcome {
  const fee = GAS * gasPrice
  state.nonces.set(from, nonce + 1)
  state.bnb.set(from, (state.bnb.get(from) ?? 0n) - fee)
  const { chainId } = state
  const trial = copyOf({ usdt: state.usdt, vault: state.vault })
  try {
    const { output, logs } = callBsc({ ...trial, chainId }, { from, to, data, time })
    Object.assign(state, trial)
    return { succeeded: true, failure: null, output, logs, fee }
  } catch (error) {
    if (!(error instanceof Reverted)) throw error
    return { succeeded: false, failure: 'REVERT', output: error.data, logs: [], fee }
  }
}
