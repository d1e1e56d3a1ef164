/**
 * Plays the stories of the known faults, each of which must still break a law, and takes back the mends of the audits'
 * faults one by one, each of which must be found again.
 */
import { fork } from 'node:child_process'
import { join } from 'node:path'
import { Coverage } from './story/coverage.ts'
import { KNOWN_FAULTS, storyOf } from './story/known-faults.ts'
import { PLANTED, type PlantedFault } from './story/planted-faults.ts'
import type { Theatre } from './story/theatre.ts'
import { PLAIN_MACHINE } from './world/plain-machine.ts'

const MOST_SHOWN = 3
const TOGETHER = 2

/** @returns the names of those that were not found */
export async function calibrate(theatre: Theatre, only: string | undefined): Promise<string[]> {
  const missing: string[] = []
  for (const fault of KNOWN_FAULTS) {
    const { name, shows, words: told } = fault
    if (only !== undefined && !name.includes(only)) continue
    const { violations, words } = await theatre.play(storyOf(fault), new Coverage())
    const found = violations.filter((one) => shows.test(one.law) && told.test(one.words))
    console.log(`${found.length > 0 ? '✔ found' : '✘ NOT FOUND'}: ${name}`)
    for (const { law, words: what } of found.slice(0, MOST_SHOWN))
      console.log(`    ${law}: ${what}`)
    if (only !== undefined) for (const line of words) console.log(`      ${line}`)
    if (found.length === 0) missing.push(name)
  }
  const planted = PLANTED.filter(({ name }) => only === undefined || name.includes(only))
  const queue = [...planted]
  const workOff = async () => {
    for (let fault = queue.shift(); fault !== undefined; fault = queue.shift())
      if (!(await isFound(fault))) missing.push(fault.name)
  }
  await Promise.all(Array.from({ length: TOGETHER }, workOff))
  return missing
}

/** In a process of its own, whose source has the fault. */
async function isFound({ name, shown, law }: PlantedFault): Promise<boolean> {
  const [option, story] =
    'seed' in shown ? ['--seed', `${shown.seed}`] : ['--pattern', shown.pattern]
  const execArgv = [
    ...process.execArgv,
    ...PLAIN_MACHINE,
    '--import',
    join(import.meta.dirname, 'plant.ts'),
  ]
  const options = { execArgv, silent: true, env: { ...process.env, PLANTED: name } }
  const child = fork(
    join(import.meta.dirname, 'simulate.ts'),
    [option, story, '--no-shrink'],
    options,
  )
  let said = ''
  const hear = (chunk: Buffer) => {
    said += chunk
  }
  child.stdout?.on('data', hear)
  child.stderr?.on('data', hear)
  await new Promise((resolve) => child.once('close', resolve))
  const told = said.split('\n').filter((line) => line.includes('✘'))
  const hit = told.find((line) => line.includes(`✘ ${law}:`))
  console.log(
    `${hit === undefined ? '✘ NOT FOUND' : '✔ found'}: ${name} (${option.slice(2)} ${story})`,
  )
  if (hit === undefined) console.log(told.length > 0 ? told.join('\n') : said.slice(-1_000))
  else console.log(`  ${hit.replace('✘', '').trim()}`)
  return hit !== undefined
}
