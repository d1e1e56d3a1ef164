import { ENERGY_PRICE } from './parameters.ts'

/** One instruction in a trace of the chain's process, without stack and memory. */
export type TraceStep = { op: string; gas: number; gasCost: number; depth: number; error?: string }

export type EnergyUse = {
  /** The total, with the penalty. */
  energy: number
  /** The part that is charged because a contract is popular. */
  penalty: number
  /** The first instruction that exceeded the limit, if any. */
  exceeded: { op: string; opEnergy: number; usedBefore: number } | undefined
}

/** A node's message about the instruction that exceeded the limit. */
export function outOfEnergyText(
  limit: number,
  { op, opEnergy, usedBefore }: NonNullable<EnergyUse['exceeded']>,
): string {
  const name = op === 'KECCAK256' ? 'SHA3' : op
  return `Not enough energy for '${name}' operation executing: curInvokeEnergyLimit[${limit}], curOpEnergy[${opEnergy}], usedEnergy[${usedBefore}]`
}

/** A node searches for the fee limit, and stops at a precision of one TRX. */
const ESTIMATE_PRECISION_SUN = 1_000_000

/**
 * The energy that a node estimates for a call: it starts with twice the energy used, then halves the excess until the
 * excess is worth at most one TRX.
 */
export function estimatedEnergy(used: number): number {
  const low = used * ENERGY_PRICE
  let high = 2 * low
  while (low + ESTIMATE_PRECISION_SUN < high) high = Math.floor((low + high) / 2)
  return Math.floor(high / ENERGY_PRICE)
}

/** Instructions with a fixed price on Tron, regardless of the EVM's price. */
const FIXED: Record<string, number> = {
  SLOAD: 50,
  BALANCE: 20,
  EXTCODESIZE: 20,
  EXTCODEHASH: 400,
  SELFDESTRUCT: 0,
}
/** The difference between the EVM's and Tron's price of instructions that also pay for memory. */
const CHEAPER_BY: Record<string, number> = {
  MLOAD: 2,
  MSTORE: 2,
  MSTORE8: 2,
  CALLDATACOPY: 3,
  CODECOPY: 3,
  RETURNDATACOPY: 3,
}
const CALLS = new Set(['CALL', 'CALLCODE', 'DELEGATECALL', 'STATICCALL'])
const CREATIONS = new Set(['CREATE', 'CREATE2'])

const CALL_ENERGY = 40
const CODE_COPY_ENERGY = 20
const EXP_ENERGY = 10
/** The EVM charges 50 for each byte of an exponent, Tron 10. */
const EXP_BYTE_RATIO = 5
const SET_GAS = 20_000
const SET_ENERGY = 20_000
const RESET_ENERGY = 5_000
const COLD_ACCOUNT_GAS = 2_600
const WARM_ACCOUNT_GAS = 100

/**
 * The energy that the traced instructions cost on Tron. Unlike gas, it has different prices for storage, calls and some
 * other instructions, and no refunds.
 */
export function energyOf(steps: readonly TraceStep[], limit = Number.POSITIVE_INFINITY): EnergyUse {
  const use: EnergyUse = { energy: 0, penalty: 0, exceeded: undefined }
  const charge = (op: string, opEnergy: number) => {
    if (use.energy + opEnergy > limit) use.exceeded ??= { op, opEnergy, usedBefore: use.energy }
    use.energy += opEnergy
  }
  for (let index = 0; index < steps.length; ) index = chargeFrame(steps, index, charge).next
  return use
}

const FACTOR_UNIT = 10_000

/**
 * The same with the penalty of popular contracts. @param factor in ten-thousandths of the energy without it
 * @param limit the limit for the total, which a node ends a call at
 */
export function penalisedEnergyOf(
  steps: readonly TraceStep[],
  factor: number,
  limit = Number.POSITIVE_INFINITY,
): EnergyUse {
  const { energy, exceeded } = energyOf(steps, (limit * FACTOR_UNIT) / (FACTOR_UNIT + factor))
  return { ...withPenalty(energy, factor), exceeded }
}

/** @param factor in ten-thousandths of the energy without the penalty */
export function withPenalty(energy: number, factor: number): EnergyUse {
  const penalty = Math.floor((energy * factor) / FACTOR_UNIT)
  return { energy: energy + penalty, penalty, exceeded: undefined }
}

type Charge = (op: string, energy: number) => void

/** Charges the instructions of one contract from `start` on, including those of the contracts that it calls. */
function chargeFrame(
  steps: readonly TraceStep[],
  start: number,
  charge: Charge,
): { gasUsed: number; next: number } {
  const first = steps[start] as TraceStep
  let last = first
  let index = start
  for (let step = steps[index]; step?.depth === first.depth; step = steps[index]) {
    last = step
    const opensFrame = CALLS.has(step.op) || CREATIONS.has(step.op)
    const isEntered = opensFrame && (steps[index + 1]?.depth ?? 0) > step.depth
    const inner = isEntered
      ? chargeFrame(steps, index + 1, charge)
      : { gasUsed: 0, next: index + 1 }
    index = inner.next
    const after = steps[index]
    // The traced cost of a call may or may not include the gas passed on, so the cost is computed from the remaining
    // gas.
    const isFollowed = opensFrame && after?.depth === step.depth
    charge(
      step.op,
      priceOf(step.op, isFollowed ? step.gas - after.gas - inner.gasUsed : step.gasCost),
    )
  }
  const left = last.error === undefined ? last.gas - last.gasCost : 0
  return { gasUsed: first.gas - left, next: index }
}

function priceOf(op: string, gas: number): number {
  const fixed = FIXED[op]
  if (fixed !== undefined) return fixed
  if (CALLS.has(op)) return CALL_ENERGY + withoutAccess(gas)
  if (op === 'SSTORE') return gas >= SET_GAS ? SET_ENERGY : RESET_ENERGY
  if (op === 'EXTCODECOPY') return CODE_COPY_ENERGY + withoutAccess(gas)
  if (op === 'EXP') return EXP_ENERGY + (gas - EXP_ENERGY) / EXP_BYTE_RATIO
  return Math.max(0, gas - (CHEAPER_BY[op] ?? 0))
}

/** Without the price of accessing an account, which depends on whether it was accessed before. */
function withoutAccess(gas: number): number {
  return Math.max(0, gas - (gas >= COLD_ACCOUNT_GAS ? COLD_ACCOUNT_GAS : WARM_ACCOUNT_GAS))
}
