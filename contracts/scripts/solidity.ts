import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Abi, Hex } from 'viem'

const require = createRequire(import.meta.url)

export const CONTRACTS_DIR = fileURLToPath(new URL('..', import.meta.url))

/**
 * The compiler's default, because the explorer's verification form cannot state another one. Tron has supported Cancun
 * since June 2025.
 */
export const EVM_VERSION = 'cancun'

export const OPTIMIZER: Optimizer = { enabled: true, runs: 200 }

type Optimizer = { enabled: boolean; runs: number }

/** How an artifact differs from the product's. */
type Variant = {
  /** Replacement sources, by the paths of the files that they replace. */
  replaced?: ReadonlyMap<string, string>
  optimizer?: Optimizer
}

/** The bytes of deployed code that a constructor sets. */
export type Immutable = { readonly start: number; readonly length: number }

export type Artifact = {
  readonly abi: Abi
  readonly bytecode: Hex
  readonly deployedBytecode: Hex
  readonly immutables: readonly Immutable[]
}

type SolcOutput = {
  errors?: { severity: string; formattedMessage: string }[]
  contracts: Record<
    string,
    Record<
      string,
      {
        abi: Abi
        evm: {
          bytecode: { object: string }
          deployedBytecode: { object: string; immutableReferences?: Record<string, Immutable[]> }
        }
      }
    >
  >
}

type Solc = {
  version(): string
  compile(
    input: string,
    callbacks: { import: (path: string) => { contents: string } | { error: string } },
  ): string
}

/**
 * Compiles Solidity files of this folder. Uses no network and leaves no trace of this machine, so the same sources
 * produce the same bytes anywhere.
 * @param paths relative to `contracts/`
 * @returns the contracts by name
 * @throws Error with solc's messages, including warnings
 */
export function compileSolidity(
  paths: readonly string[],
  { replaced = new Map(), optimizer = OPTIMIZER }: Variant = {},
): Map<string, Artifact> {
  const read = (path: string) => replaced.get(path) ?? readSource(path)
  const input = standardInput(new Map(paths.map((path) => [path, read(path)])), optimizer)
  const solc = require('solc') as Solc
  const resolveImport = (path: string) => ({ contents: read(path) })
  const output = JSON.parse(
    solc.compile(JSON.stringify(input), { import: resolveImport }),
  ) as SolcOutput
  const complaints = (output.errors ?? []).map((error) => error.formattedMessage)
  if (complaints.length > 0) throw new Error(complaints.join('\n'))
  return artifactsOf(output, paths)
}

/** The source at an import path: a file of this folder, or of a package. */
export function readSource(path: string): string {
  const file = path.startsWith('@') ? require.resolve(path) : join(CONTRACTS_DIR, path)
  return readFileSync(file, 'utf8')
}

/** solc's input, with the settings of every build. */
export function standardInput(sources: ReadonlyMap<string, string>, optimizer = OPTIMIZER) {
  const outputs = ['abi', 'evm.bytecode.object']
  const runtime = ['evm.deployedBytecode.object', 'evm.deployedBytecode.immutableReferences']
  return {
    language: 'Solidity',
    sources: Object.fromEntries([...sources].map(([path, content]) => [path, { content }])),
    settings: {
      evmVersion: EVM_VERSION,
      optimizer,
      outputSelection: { '*': { '*': [...outputs, ...runtime] } },
    },
  }
}

/** The compiler version as explorers list it, such as `v0.8.29+commit.ab55807c`. */
export function compilerVersion(): string {
  const [version] = (require('solc') as Solc).version().split('.Emscripten')
  return `v${version}`
}

/** The only contract of a file, which has the file's name. */
export function compileContract(path: string, variant?: Variant): Artifact {
  const name = basename(path, '.sol')
  const artifact = compileSolidity([path], variant).get(name)
  if (!artifact) throw new Error(`${path} contains no contract ${name}`)
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
        immutables: Object.values(contract.evm.deployedBytecode.immutableReferences ?? {})
          .flat()
          .toSorted((a, b) => a.start - b.start),
      })
    }
  }
  return artifacts
}
