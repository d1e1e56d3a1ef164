/**
 * Proves the contracts: npm run prove [-- proofs | faults] [TEXT]. Without arguments all proofs, then every planted fault,
 * each of which must break its proof. TEXT selects the contracts, or the faults, whose names contain it.
 */
import { setPriority } from 'node:os'
import { runChecks } from './check.ts'
import { FAULTS } from './faults.ts'
import { buildProject, CONTRACTS } from './project.ts'
import { installTools } from './toolchain.ts'

const LEAST_URGENT = 19

type Env = NodeJS.ProcessEnv

const say = (line: string) => console.log(line)
const shown = (seconds: number) => `${seconds.toFixed(1)} s`

/** @returns how many checks were not proved */
async function proveAll(env: Env, part: string): Promise<number> {
  let open = 0
  await buildProject(env)
  for (const contract of CONTRACTS.filter((one) => one.includes(part))) {
    say(`\n${contract}`)
    for (const { check, verdict, seconds } of await runChecks(env, { contract })) {
      say(`${verdict === 'proved' ? '✔' : '✘'} ${words(check)}: ${verdict}  ${shown(seconds)}`)
      if (verdict !== 'proved') open += 1
    }
  }
  return open
}

/** @returns how many planted faults were not found */
async function refuteAll(env: Env, part: string): Promise<number> {
  let open = 0
  say('\nPlanted faults')
  for (const fault of FAULTS.filter(({ name, contract }) => `${contract} ${name}`.includes(part))) {
    await buildProject(env, fault)
    const outcomes = await runChecks(env, fault)
    const isFound = outcomes.length === 1 && outcomes.every(({ verdict }) => verdict === 'refuted')
    const seconds = outcomes.reduce((sum, one) => sum + one.seconds, 0)
    say(`${isFound ? '✔' : '✘'} ${fault.name}: ${words(fault.check)}  ${shown(seconds)}`)
    if (!isFound) open += 1
  }
  return open
}

const words = (check: string) => check.replace('check_', '').replaceAll('_', ' ')

async function main([what = 'all', part = '']: readonly string[]): Promise<number> {
  setPriority(LEAST_URGENT)
  const startedAt = performance.now()
  const env = await installTools(say)
  const open =
    (what === 'faults' ? 0 : await proveAll(env, part)) +
    (what === 'proofs' ? 0 : await refuteAll(env, part))
  say(`\n${open} open; ${shown((performance.now() - startedAt) / 1000)}`)
  return open
}

process.exitCode = (await main(process.argv.slice(2))) === 0 ? 0 : 1
