import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Abi, Hex } from 'viem'

const require = createRequire(import.meta.url)

export const CONTRACTS_DIR = fileURLToPath(new URL('..', import.meta.url))

/** Tron runs Shanghai since 2023 (proposal 89); solc's own default is newer than Tron's machine. */
export const EVM_VERSION = 'shanghai'

const OPTIMIZER: Optimizer = { enabled: true, runs: 200 }

type Optimizer = { enabled: boolean; runs: number }

/** What makes an artifact another one than the product's. */
type Variant = {
  /** Sources to use in place of files, by the same paths. */
  replaced?: ReadonlyMap<string, string>
  optimizer?: Optimizer
}

export type Artifact = { readonly abi: Abi; readonly bytecode: Hex; readonly deployedBytecode: Hex }

type SolcOutput = {
  errors?: { severity: string; formattedMessage: string }[]
  contracts: Record<
    string,
    Record<
      string,
      { abi: Abi; evm: { bytecode: { object: string }; deployedBytecode: { object: string } } }
    >
  >
}

type Solc = {
  compile(
    input: string,
    callbacks: { import: (path: string) => { contents: string } | { error: string } },
  ): string
}

/**
 * Compiles Solidity files of this folder, without a network and without a trace of this machine: the same sources give
 * the same bytes anywhere.
 * @param paths relative to `contracts/`
 * @returns the contracts by name
 * @throws Error with solc's text, on warnings too
 */
export function compileSolidity(
  paths: readonly string[],
  { replaced = new Map(), optimizer = OPTIMIZER }: Variant = {},
): Map<string, Artifact> {
  const read = (path: string) =>
    replaced.get(path) ?? readFileSync(join(CONTRACTS_DIR, path), 'utf8')
  const input = {
    language: 'Solidity',
    sources: Object.fromEntries(paths.map((path) => [path, { content: read(path) }])),
    settings: {
      evmVersion: EVM_VERSION,
      optimizer,
      metadata: { appendCBOR: false, bytecodeHash: 'none' },
      outputSelection: {
        '*': { '*': ['abi', 'evm.bytecode.object', 'evm.deployedBytecode.object'] },
      },
    },
  }
  const solc = require('solc') as Solc
  const resolveImport = (path: string) => {
    const contents = path.startsWith('@') ? readFileSync(require.resolve(path), 'utf8') : read(path)
    return { contents }
  }
  const output = JSON.parse(
    solc.compile(JSON.stringify(input), { import: resolveImport }),
  ) as SolcOutput
  const complaints = (output.errors ?? []).map((error) => error.formattedMessage)
  if (complaints.length > 0) throw new Error(complaints.join('\n'))
  return artifactsOf(output, paths)
}

/** The one contract of a file, named like it. */
export function compileContract(path: string, variant?: Variant): Artifact {
  const name = basename(path, '.sol')
  const artifact = compileSolidity([path], variant).get(name)
  if (!artifact) throw new Error(`${path} holds no contract ${name}`)
  return artifact
}

function artifactsOf(output: SolcOutput, paths: readonly string[]): Map<string, Artifact> {
  const artifacts = new Map<string, Artifact>()
  for (const path of paths) {
    for (const [name, contract] of Object.entries(output.contracts[path] ?? {})) {
      artifacts.set(name, {
        abi: contract.abi,
        bytecode: `0x${contract.evm.bytecode.object}`,
        deployedBytecode: `0x${contract.evm.deployedBytecode.object}`,
      })
    }
  }
  return artifacts
}
