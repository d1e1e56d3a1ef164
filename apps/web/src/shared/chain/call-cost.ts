import type { InjectedTronWeb } from './injected.ts'
import { readEnergyPrice, readFreeEnergy, readTrxBalance } from './read-account.ts'

/** TronWeb's own default, for nodes that do not say how much energy a call takes. */
const UNKNOWN_FEE_LIMIT_SUN = 150_000_000n

/** What sending a call would take from the sender. */
export type CallCost = {
  energy: number
  /** TRX that burning energy costs, in sun, after the account's own energy is used. */
  feeSun: bigint
  /** The sender's TRX in sun. */
  balanceSun: bigint
  /** The most that the sender allows to be burnt, in sun: the estimate and half of it again. */
  feeLimitSun: bigint
}

/** Works out what `energy` costs `owner` now. @throws NodeError */
export async function readCallCost(
  tronWeb: InjectedTronWeb,
  input: { owner: string; energy: number },
): Promise<CallCost> {
  const [price, freeEnergy, balanceSun] = await Promise.all([
    readEnergyPrice(tronWeb),
    readFreeEnergy(tronWeb, input.owner),
    readTrxBalance(tronWeb, input.owner),
  ])
  return costOf({ energy: input.energy, price, freeEnergy, balanceSun })
}

/** The arithmetic of `readCallCost`. The limit counts all energy: the account's own may be gone by then. */
export function costOf(facts: {
  energy: number
  price: number
  freeEnergy: number
  balanceSun: bigint
}): CallCost {
  const { energy, price, freeEnergy, balanceSun } = facts
  const burnt = Math.max(0, energy - freeEnergy)
  return {
    energy,
    feeSun: BigInt(burnt * price),
    balanceSun,
    feeLimitSun: energy === 0 ? UNKNOWN_FEE_LIMIT_SUN : (BigInt(energy * price) * 3n) / 2n,
  }
}
