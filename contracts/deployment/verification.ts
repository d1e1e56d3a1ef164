import type { Hex } from 'viem'
import {
  compilerVersion,
  EVM_VERSION,
  OPTIMIZER,
  readSource,
  standardInput,
} from '../scripts/solidity.ts'
import { addressOf, type DeploymentState } from './state.ts'
import { STEPS } from './steps.ts'
import { type VaultState, vaultArguments, vaultOf } from './vault.ts'

/** Everything that a block explorer needs to verify sources. */
export type Verification = {
  contract: string
  address: Hex
  compiler: string
  license: string
  evmVersion: string
  optimizerRuns: number
  /** ABI-encoded, without 0x. */
  constructorArguments: string
  /** All sources in one file, without imports. */
  flattened: string
  /** solc's standard JSON input. */
  standardJson: string
}

const SOURCES = {
  token: 'src/dev/DevToken.sol',
  rewardPool: 'src/RewardPool.sol',
  staking: 'src/Staking.sol',
}

/** Collects what an explorer needs to verify the contracts of a deployment, without compiling them. */
export function verificationsOf(state: DeploymentState): Verification[] {
  return STEPS.flatMap((step) => {
    if (!(step.name in SOURCES) || !step.isNeeded(state.inputs)) return []
    const name = step.name as keyof typeof SOURCES
    const address = addressOf(state, name)
    const action = step.action(state)
    if (address === undefined || action.kind !== 'create') return []
    const { name: contract, constructorArguments } = action
    return [verificationOf(SOURCES[name], { contract, address, constructorArguments })]
  })
}

/** The same for a deployed vault. */
export function verificationOfVault(state: VaultState): Verification {
  return verificationOf('src/PayoutVault.sol', {
    contract: 'PayoutVault',
    address: vaultOf(state),
    constructorArguments: vaultArguments(state.inputs),
  })
}

function verificationOf(
  source: string,
  facts: { contract: string; address: Hex; constructorArguments: Hex },
): Verification {
  const sources = collectSources(source)
  return {
    ...facts,
    compiler: compilerVersion(),
    license: 'UNLICENSED',
    evmVersion: EVM_VERSION,
    optimizerRuns: OPTIMIZER.runs,
    constructorArguments: facts.constructorArguments.slice(2),
    flattened: flatten(sources),
    standardJson: `${JSON.stringify(standardInput(sources), undefined, 2)}\n`,
  }
}

const IMPORT = /^import\s[^;]*?["']([^"']+)["'];\n?/gm

/** A source and everything that it imports, imports first. */
function collectSources(path: string, found = new Map<string, string>()): Map<string, string> {
  const content = readSource(path)
  for (const [, target = ''] of content.matchAll(IMPORT)) {
    const isRelative = target.startsWith('.')
    const next = isRelative ? new URL(target, `file:///${path}`).pathname.slice(1) : target
    if (!found.has(next)) collectSources(next, found)
  }
  return found.set(path, content)
}

/** Joins sources into one file with a single licence and compiler version, and without imports. */
function flatten(sources: ReadonlyMap<string, string>): string {
  const [pragma = ''] = /^pragma solidity [^;]+;/m.exec([...sources.values()].at(-1) ?? '') ?? []
  const parts = [...sources].map(([path, content]) => {
    const body = content
      .replace(/^\/\/ SPDX-License-Identifier:.*\n/gm, '')
      .replace(/^pragma solidity [^;]+;\n/gm, '')
      .replace(IMPORT, '')
    return `// ${path}\n${body.trim()}\n`
  })
  return `// SPDX-License-Identifier: UNLICENSED\n${pragma}\n\n${parts.join('\n')}`
}
