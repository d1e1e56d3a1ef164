import { encodeArguments } from './abi-codec.ts'
import type { ContractCall } from './contract-call.ts'
import type { TronNode } from './injected.ts'
import {
  type ChainPrices,
  type FreeResources,
  readAccount,
  readFreeResources,
  readPrices,
} from './read-account.ts'

/** TronWeb's default, for nodes that do not report how much energy a call takes. */
const UNKNOWN_FEE_LIMIT_SUN = 150_000_000n
/**
 * Allows for changes between the estimate and the block: another holder's call can make this one use another storage
 * slot, and the energy cost of popular contracts rises. Running out of energy burns the whole fee.
 */
const ENERGY_MARGIN_PERCENT = 20n
const SELECTOR_BYTES = 4
/**
 * The size in bytes of a signed contract call without its data, including signature and result, with a few bytes to
 * spare.
 */
const CALL_OVERHEAD_BYTES = 284

/** What an account can spend, and the prices it pays. */
export type Funds = {
  /** False until the account has received its first TRX; until then the chain does not know it. */
  isActive: boolean
  balanceSun: bigint
  free: FreeResources
  prices: ChainPrices
}

/** What sending a call costs the sender. */
export type CallCost = {
  energy: number
  /** In bytes. */
  bandwidth: number
  /** The TRX that the call burns at current prices, in sun, after the account's free resources are used. */
  feeSun: bigint
  /** The TRX the sender should hold, in sun: the fee plus a margin for energy. */
  neededSun: bigint
  /** The sender's TRX in sun. */
  balanceSun: bigint
  /** The cap on TRX burned for energy, in sun: 150% of the estimate. */
  feeLimitSun: bigint
}

/** Reads what an account can spend, and the chain's prices. @throws NodeError */
export async function readFunds(node: TronNode, owner: string): Promise<Funds> {
  const [account, free, prices] = await Promise.all([
    readAccount(node, owner),
    readFreeResources(node, owner),
    readPrices(node),
  ])
  return { ...account, free, prices }
}

/** An upper bound of the bytes that a call is charged for. */
export function bandwidthOf({ args }: ContractCall): number {
  const digits = encodeArguments(args).length
  return CALL_OVERHEAD_BYTES + SELECTOR_BYTES + digits / 2
}

/**
 * Computes what a call costs an account. Bandwidth is charged in full unless one of the free allowances covers all of
 * it. The fee limit covers all energy, because the account's own energy may be gone by the time the call runs.
 */
export function costOf(use: { energy: number; bandwidth: number }, funds: Funds): CallCost {
  const { energy, bandwidth } = use
  const { free, prices, balanceSun } = funds
  const isFree = bandwidth <= Math.max(free.freeBandwidth, free.stakedBandwidth)
  const bandwidthSun = isFree ? 0n : BigInt(bandwidth * prices.bandwidth)
  const burnt = BigInt(Math.max(0, energy - free.energy))
  const burntAtMost = (BigInt(energy) * (100n + ENERGY_MARGIN_PERCENT)) / 100n - BigInt(free.energy)
  const price = BigInt(prices.energy)
  return {
    energy,
    bandwidth,
    feeSun: bandwidthSun + burnt * price,
    neededSun: bandwidthSun + (burntAtMost > 0n ? burntAtMost : 0n) * price,
    balanceSun,
    feeLimitSun: energy === 0 ? UNKNOWN_FEE_LIMIT_SUN : (BigInt(energy) * price * 3n) / 2n,
  }
}
