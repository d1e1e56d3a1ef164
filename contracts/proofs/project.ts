import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { CONTRACTS_DIR, EVM_VERSION, OPTIMIZER } from '../scripts/solidity.ts'
import { CACHE_DIR } from './toolchain.ts'

const run = promisify(execFile)

/** In a source file, `find` is replaced by `replace`. */
export type Change = { readonly file: string; readonly find: string; readonly replace: string }

/** The contracts of proofs, each in a file of its name. */
export const CONTRACTS = ['PayoutVaultProofs', 'StakingProofs', 'RewardPoolProofs'] as const

const ROOT = join(CONTRACTS_DIR, '..')
export const PROJECT_DIR = join(CACHE_DIR, 'project')

/** The only change under which the vault is proved: proofs/solidity/Rendering.sol says why it loses nothing. */
const RENDERING: Change = {
  file: 'src/PayoutVault.sol',
  find: '@openzeppelin/contracts/utils/Strings.sol',
  replace: 'proofs/Rendering.sol',
}

const SETTINGS = `[profile.default]
src = "proofs"
test = "proofs"
out = "out"
libs = []
allow_paths = ["${ROOT}"]
remappings = ["@openzeppelin/=${join(ROOT, 'node_modules/@openzeppelin')}/", "src/=src/", "proofs/=proofs/"]
solc = "${join(CONTRACTS_DIR, 'proofs/solc.mjs')}"
evm_version = "${EVM_VERSION}"
optimizer = ${OPTIMIZER.enabled}
optimizer_runs = ${OPTIMIZER.runs}
ast = true
extra_output = ["storageLayout"]
offline = true

[lint]
lint_on_build = false
`

/**
 * Builds the contracts, as they ship or with a planted fault, together with the proofs.
 * @throws Error where the text to replace does not occur exactly once, or the compiler complains
 */
export async function buildProject(env: NodeJS.ProcessEnv, fault?: Change): Promise<void> {
  mkdirSync(PROJECT_DIR, { recursive: true })
  cpSync(join(CONTRACTS_DIR, 'src'), join(PROJECT_DIR, 'src'), { recursive: true })
  cpSync(join(CONTRACTS_DIR, 'proofs/solidity'), join(PROJECT_DIR, 'proofs'), { recursive: true })
  writeFileSync(join(PROJECT_DIR, 'foundry.toml'), SETTINGS)
  for (const change of fault ? [RENDERING, fault] : [RENDERING]) apply(change)
  await run('forge', ['build'], { cwd: PROJECT_DIR, env })
}

function apply({ file, find, replace }: Change): void {
  const path = join(PROJECT_DIR, file)
  const source = readFileSync(path, 'utf8')
  if (source.split(find).length !== 2) throw new Error(`${file}: "${find}" must occur once`)
  writeFileSync(path, source.replace(find, replace))
}
