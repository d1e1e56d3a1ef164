import { type EvmNode, type EvmSigner, encodeCall } from '@dct/chain-clients/senders/index'
import { tokenAbi } from '@dct/contract-abi'
import type { Hex } from 'viem'
import type { Payout } from './create-payout.ts'
import type { SenderDeps } from './sender-deps.ts'

export type BscSenderDeps = SenderDeps & {
  node: EvmNode
  signer: EvmSigner
  usdt: Hex
  /** Wei; a higher price is never offered. */
  maxGasPrice: bigint
  /** Admins pay by hand: nothing new is signed. What was signed before is seen through to its end. */
  isManual: boolean
}
export type BscDeps = BscSenderDeps & { wallet: Hex }

/** The one call that pays this payout; every variant of it is the same but for the price. */
export function transferCall(deps: { usdt: Hex }, payout: Payout): { to: Hex; data: Hex } {
  const data = encodeCall(tokenAbi, 'transfer', [payout.to, payout.amount])
  return { to: deps.usdt, data }
}

/** The trial run's gas and half as much again. */
export function gasLimit(used: bigint): bigint {
  return (used * 3n) / 2n
}
