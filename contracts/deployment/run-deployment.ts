import type { DigestSigner } from '@dct/chain-clients/signers/index'
import { type Hex, hexToBytes } from 'viem'
import { type DeploymentCheck, requireDeployment } from './check-deployment.ts'
import { feeLimitOf } from './estimate.ts'
import type { DeploymentNode } from './node.ts'
import {
  type Attempt,
  type DeploymentState,
  requireAddresses,
  resultOf,
  type StepRecord,
} from './state.ts'
import { ACCEPT_OWNERSHIP, STEPS, type Step } from './steps.ts'
import { buildTransaction, createdAddress, signTransaction } from './tron-transaction.ts'

export type DeploymentDeps = {
  node: DeploymentNode
  signer: DigestSigner
  /** Stores the state. When it returns, the state must survive a power failure. */
  save(state: DeploymentState): void
  /** Waits until it makes sense to query the node again. */
  wait(): Promise<void>
  report(line: string): void
}

export type Deployed = DeploymentCheck & {
  token: Hex
  rewardPool: Hex
  staking: Hex
  startBlock: number
}

/** A transaction is final and has failed. Nothing new is signed until the deployment is run again. */
export class StepFailed extends Error {
  override name = 'StepFailed'
}

/** How long a signed transaction can be included, and so how long it may have to be followed after a crash. */
const LIFE_MS = 10 * 60_000
/** How far past its expiry the final chain must be before a transaction counts as expired. */
const EXPIRY_MARGIN_MS = 60_000

/**
 * Continues a deployment from any point to its end. Each step is signed once, stored, sent until it is final or proven
 * expired, and its result is stored. Can be interrupted at any moment and run again.
 * @throws StepFailed when a transaction failed; the next run signs a new one for that step
 */
export async function runDeployment(
  deps: DeploymentDeps,
  state: DeploymentState,
): Promise<Deployed> {
  for (const step of STEPS) {
    if (step.isNeeded(state.inputs)) await finishStep(deps, state, step, state.inputs.deployer)
  }
  const check = await requireDeployment(deps.node, state)
  state.checkedAt = new Date().toISOString()
  deps.save(state)
  return { ...check, ...requireAddresses(state), startBlock: startBlockOf(state) }
}

/**
 * Accepts the ownership of the reward pool, with the same guarantees as every step of a deployment.
 * @param deps with the owner's signer
 */
export async function acceptOwnership(deps: DeploymentDeps, state: DeploymentState): Promise<void> {
  const { isOwnerAwaited } = await requireDeployment(deps.node, state)
  const isSigned = state.steps.acceptOwnership !== undefined
  if (!isOwnerAwaited && !isSigned) return
  await finishStep(deps, state, ACCEPT_OWNERSHIP, state.inputs.owner)
  await requireDeployment(deps.node, state)
}

async function finishStep(
  deps: DeploymentDeps,
  state: DeploymentState,
  step: Step,
  from: Hex,
): Promise<void> {
  const record = recordOf(state, step)
  const wasInterrupted = openAttempt(record) !== undefined
  if (resultOf(record)) return
  deps.report(`${step.title}: ${wasInterrupted ? 'following the signed transaction' : 'signing'}`)
  while (!resultOf(record)) {
    const attempt = openAttempt(record) ?? (await signAttempt(deps, state, step, from))
    await followAttempt(deps, attempt)
    deps.save(state)
    const { outcome } = attempt
    if (typeof outcome === 'object' && outcome.failure !== null) {
      throw new StepFailed(
        `“${step.title}” failed on chain with ${outcome.failure} (transaction ${attempt.hash.slice(2)}).`,
      )
    }
  }
}

function recordOf({ steps }: DeploymentState, { name }: Step): StepRecord {
  const record = steps[name] ?? { attempts: [] }
  steps[name] = record
  return record
}

/** The attempt whose transaction may still be included. */
function openAttempt({ attempts }: StepRecord): Attempt | undefined {
  const last = attempts.at(-1)
  return last?.outcome === undefined ? last : undefined
}

async function signAttempt(
  deps: DeploymentDeps,
  state: DeploymentState,
  step: Step,
  from: Hex,
): Promise<Attempt> {
  const action = step.action(state)
  const energy = (await deps.node.energyOf(action, from)) ?? step.measuredEnergy
  const feeLimitSun = feeLimitOf(energy, await deps.node.prices())
  const anchor = await deps.node.anchor()
  const options = { anchor, lifeMs: LIFE_MS, feeLimitSun }
  const built = buildTransaction(action, from, options)
  const raw = await signTransaction(built, deps.signer)
  const attempt: Attempt = {
    hash: built.hash,
    raw,
    expiresAt: built.expiresAt.toISOString(),
    feeLimitSun,
  }
  const record = recordOf(state, step)
  record.attempts.push(attempt)
  if (action.kind === 'create') record.address = createdAddress(built.hash, from)
  deps.save(state)
  return attempt
}

/** Keeps sending the stored bytes until the transaction is final or proven expired. */
async function followAttempt(deps: DeploymentDeps, attempt: Attempt): Promise<void> {
  const { node } = deps
  const { hash } = attempt
  const expiresAt = new Date(attempt.expiresAt)
  let reported = ''
  while (attempt.outcome === undefined) {
    const status = await node.receipt(hash)
    if (status.kind === 'final') {
      const { blockNumber, fee, failure } = status
      attempt.outcome = { block: Number(blockNumber), feeSun: Number(fee), failure }
    } else if (await node.proveExpiry({ hash, expiresAt, marginMs: EXPIRY_MARGIN_MS })) {
      attempt.outcome = 'expired'
    } else {
      // The node's answer decides nothing: only the chain shows whether the transaction was included.
      const { detail } = await node.broadcast(hexToBytes(`0x${attempt.raw}`))
      const line = status.kind === 'mined' ? 'included, waiting until it is final' : detail
      if (line !== reported) deps.report(`  ${hash.slice(2)}: ${line}`)
      reported = line
      await deps.wait()
    }
  }
}

function startBlockOf({ steps }: DeploymentState): number {
  return resultOf(steps.rewardPool)?.block ?? 0
}
