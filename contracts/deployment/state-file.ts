import { existsSync, readFileSync } from 'node:fs'
import { replaceFile } from './replace-file.ts'
import type { DeploymentInputs, DeploymentState } from './state.ts'

/** Reads the stored state; undefined before the first run. @throws Error if another version wrote the file */
export function readState<State extends { version: 1 } = DeploymentState>(
  path: string,
): State | undefined {
  if (!existsSync(path)) return undefined
  const state = JSON.parse(readFileSync(path, 'utf8')) as State
  if (state.version !== 1) throw new Error(`${path} was written by another version.`)
  return state
}

/** Stores the state. @throws Error when it could not be stored: the file then has the former one */
export function writeState(path: string, state: { version: 1 }): void {
  replaceFile(path, `${JSON.stringify(state, undefined, 2)}\n`)
}

/**
 * The state from which to continue.
 * @throws Error when the file belongs to a deployment with other inputs
 */
export function continueState(
  found: DeploymentState | undefined,
  inputs: DeploymentInputs,
): DeploymentState {
  if (!found) return { version: 1, inputs, steps: {} }
  const names = ['chainId', 'deployer', 'owner', 'operator', 'token', 'termLimits'] as const
  const other = names.find(
    (name) => JSON.stringify(found.inputs[name]) !== JSON.stringify(inputs[name]),
  )
  if (other === undefined) return found
  throw new Error(
    `The state file belongs to a deployment with another ${other}: name another file for a new deployment.`,
  )
}
