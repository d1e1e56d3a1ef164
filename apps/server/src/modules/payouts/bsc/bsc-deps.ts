import type { EvmNode } from '@dct/chain-clients'
import {
  type AllowedCalls,
  type EvmSigner,
  encodeCall,
  selectorsOf,
} from '@dct/chain-clients/senders/index'
import { tokenAbi } from '@dct/contract-abi'
import type { Hex } from 'viem'
import type { Payout } from '../create-payout.ts'
import type { SenderDeps } from '../sender-deps.ts'

export type BscSenderDeps = SenderDeps & {
  node: EvmNode
  signer: EvmSigner
  /** Former payout wallets. Everything they paid must be read before anything new is paid. */
  formerWallets: readonly Hex[]
  usdt: Hex
  /** The most that is paid on one business day, in base units. */
  mostPerDay: bigint
  /** The highest price to offer, in wei. */
  maxGasPrice: bigint
  /**
   * Admins pay manually: nothing new is signed, but transactions that are already signed are still followed to their
   * end.
   */
  isManual: boolean
}
export type BscDeps = BscSenderDeps & { wallet: Hex }

/** The only call that the wallet's key is meant for. */
export function callsOfWallet({ usdt }: { usdt: Hex }): AllowedCalls {
  return [{ contract: usdt, selectors: selectorsOf(tokenAbi, ['transfer']) }]
}

/** The call that pays this payout. Its variants differ only in price. */
export function transferCall(deps: { usdt: Hex }, payout: Payout): { to: Hex; data: Hex } {
  const data = encodeCall(tokenAbi, 'transfer', [payout.to, payout.amount])
  return { to: deps.usdt, data }
}

/** One and a half times the gas that the simulation used. */
export function gasLimit(used: bigint): bigint {
  return (used * 3n) / 2n
}
