import type { TronPrices } from '@dct/chain-clients'
import type { DeploymentNode } from './node.ts'
import { addressOf, type DeploymentState, resultOf } from './state.ts'
import { type Action, STEPS, type Step } from './steps.ts'
import { buildTransaction } from './tron-transaction.ts'

export type StepEstimate = { step: Step; energy: bigint; bytes: number; sun: bigint }
export type Estimate = {
  steps: StepEstimate[]
  /** What the remaining steps cost at current prices. */
  totalSun: bigint
  /** What the deployer should hold: more than the cost, because fee limits are reserved and prices may change. */
  neededSun: bigint
  balanceSun: bigint
}

/** A 65-byte signature with its field, plus what the chain adds to every transaction. */
const SIGNATURE_AND_RESULT_BYTES = 67 + 64
/**
 * How much more energy than simulated a transaction may use, in percent. Running out of energy would burn all of it.
 */
const RESERVE_PERCENT = 30n

/** Estimates the remaining steps and their cost. Queries the node but signs nothing. */
export async function estimateDeployment(
  node: DeploymentNode,
  state: DeploymentState,
): Promise<Estimate> {
  const { deployer } = state.inputs
  const prices = await node.prices()
  const { sun: balanceSun } = await node.resources(deployer)
  const steps: StepEstimate[] = []
  for (const step of STEPS) {
    if (!step.isNeeded(state.inputs) || isUnderWay(state, step)) continue
    const { action, isExact } = nextAction(state, step)
    const simulated = isExact ? await node.energyOf(action, deployer) : undefined
    const energy = simulated ?? step.measuredEnergy
    const bytes = sizeOf(action, deployer)
    const sun = energy * prices.energySun + BigInt(bytes) * prices.bandwidthSun
    steps.push({ step, energy, bytes, sun })
  }
  const totalSun = steps.reduce((sum, { sun }) => sum + sun, 0n)
  return { steps, totalSun, neededSun: withReserve(totalSun), balanceSun }
}

/** Whether a step is done, or signed: a signed transaction may already be on chain and paid for. */
function isUnderWay({ steps }: DeploymentState, { name }: Step): boolean {
  const record = steps[name]
  const last = record?.attempts.at(-1)
  return resultOf(record) !== undefined || (last !== undefined && last.outcome === undefined)
}

/** The maximum that a transaction may burn for energy, in sun. */
export function feeLimitOf(energy: bigint, { energySun }: TronPrices): number {
  return Number(withReserve(energy * energySun))
}

function withReserve(sun: bigint): bigint {
  return (sun * (100n + RESERVE_PERCENT)) / 100n
}

/** A step's transaction. The deployer's address stands in for contracts that do not exist yet. */
function nextAction(state: DeploymentState, step: Step): { action: Action; isExact: boolean } {
  const names = ['token', 'rewardPool', 'staking'] as const
  const missing = names.filter((name) => addressOf(state, name) === undefined)
  if (missing.length === 0) return { action: step.action(state), isExact: true }
  const { deployer } = state.inputs
  const done = { block: 0, feeSun: 0, failure: null }
  const attempt = { hash: deployer, raw: '', expiresAt: '', feeLimitSun: 0, outcome: done }
  const standIn = { attempts: [attempt], address: deployer }
  const steps = { ...state.steps, ...Object.fromEntries(missing.map((name) => [name, standIn])) }
  // The constructors of token and pool call no other contract, so a stand-in does not change their energy.
  const isExact = step.name === 'token' || step.name === 'rewardPool'
  return { action: step.action({ ...state, steps }), isExact }
}

function sizeOf(action: Action, from: `0x${string}`): number {
  const anchor = { blockNumber: 0n, blockId: '0'.repeat(64), time: new Date() }
  const { message } = buildTransaction(action, from, {
    anchor,
    lifeMs: 0,
    feeLimitSun: 1_000_000_000,
  })
  return message.serializeBinary().length + SIGNATURE_AND_RESULT_BYTES
}
