import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { CONTRACTS_DIR } from '../scripts/solidity.ts'

const run = promisify(execFile)

const PROOFS_DIR = join(CONTRACTS_DIR, 'proofs')
/** Everything that proving needs and makes; git ignores it. */
export const CACHE_DIR = join(PROOFS_DIR, '.cache')
const REQUIREMENTS = join(PROOFS_DIR, 'requirements.txt')
const FORGE = '@foundry-rs/forge@1.7.1'
const VENV = join(CACHE_DIR, 'halmos')
const FORGE_DIR = join(CACHE_DIR, 'forge')

const BINARIES = [join(VENV, 'bin'), join(FORGE_DIR, 'node_modules/.bin')]

/**
 * Installs the symbolic executor and forge, unless this folder has these versions already. Needs Python 3.11 or later
 * and the two package registries.
 * @returns the environment in which both are found
 */
export async function installTools(say: (line: string) => void): Promise<NodeJS.ProcessEnv> {
  const wanted = `${FORGE}\n${readFileSync(REQUIREMENTS, 'utf8')}`
  const installed = join(CACHE_DIR, 'installed.txt')
  if (!existsSync(installed) || readFileSync(installed, 'utf8') !== wanted) {
    mkdirSync(FORGE_DIR, { recursive: true })
    say('Installing the tools into contracts/proofs/.cache')
    await run('python3', ['-m', 'venv', '--clear', VENV])
    await run(join(VENV, 'bin/pip'), ['install', '--quiet', '--requirement', REQUIREMENTS])
    await run('npm', ['install', '--no-save', '--ignore-scripts', '--prefix', FORGE_DIR, FORGE])
    writeFileSync(installed, wanted)
  }
  const { env } = process
  return { ...env, PATH: [...BINARIES, env.PATH].join(delimiter) }
}
