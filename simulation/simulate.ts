/**
 * npm run simulate -- [--seeds N] [--from S] [--seed S] [--steps N] [--theme T] [--jobs J] [--known] [--calibrate]:
 * plays stories and judges them. See docs/simulation.md.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { enableCompileCache } from 'node:module'
import { parseArgs } from 'node:util'
import type { Findings, Task } from './play-stories.ts'
import { Coverage } from './story/coverage.ts'
import { PLAIN_MACHINE } from './world/plain-machine.ts'

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '20' },
    from: { type: 'string', default: '1' },
    seed: { type: 'string' },
    steps: { type: 'string', default: '25' },
    theme: { type: 'string' },
    jobs: { type: 'string', default: '1' },
    /** Whether violations that a known fault explains are tolerated. */
    known: { type: 'boolean', default: false },
    calibrate: { type: 'boolean', default: false },
    only: { type: 'string' },
    /** An order of events to be told with nothing else in it. */
    pattern: { type: 'string' },
    verbose: { type: 'boolean', default: false },
    'no-shrink': { type: 'boolean', default: false },
    /** Whether this process plays a share of the stories of another, which reports. */
    share: { type: 'boolean', default: false },
  },
})

const elapsed = performance.now.bind(performance)
const isSingle = values.seed !== undefined || values.pattern !== undefined
const task: Task = {
  from: Number(values.seed ?? values.from),
  seeds: isSingle ? 1 : Number(values.seeds),
  steps: Number(values.steps),
  theme: values.theme,
  pattern: values.pattern,
  isKnownTolerated: values.known,
  isVerbose: values.verbose,
  isShrunk: isSingle && !values['no-shrink'],
}
const began = elapsed()
const findings = await find()
if (values.share) process.send?.(findings)
else report(findings)
process.exitCode = Object.keys(findings.broken).length > 0 ? 1 : 0

/** Only what plays is loaded with all of the service; what only waits for others is not. */
async function find(): Promise<Findings> {
  if (!(isSingle || values.calibrate || values.share)) return playElsewhere()
  enableCompileCache()
  const { findKnownFaults, playStories } = await import('./play-stories.ts')
  return values.calibrate ? findKnownFaults(values.only) : playStories(task)
}

async function playElsewhere(): Promise<Findings> {
  const parts = shares().map(begin)
  process.on('SIGINT', () => {
    for (const { child } of parts) child.kill('SIGINT')
  })
  return merge(await Promise.all(parts.map(({ found }) => found)))
}

/** The seeds of each process: from, and how many. */
function shares(): Pick<Task, 'from' | 'seeds'>[] {
  const size = Math.ceil(task.seeds / Number(values.jobs))
  const starts = Array.from({ length: Number(values.jobs) }, (_, at) => at * size)
  return starts
    .filter((start) => start < task.seeds)
    .map((start) => ({ from: task.from + start, seeds: Math.min(size, task.seeds - start) }))
}

function begin({ from, seeds }: Pick<Task, 'from' | 'seeds'>): {
  child: ChildProcess
  found: Promise<Findings>
} {
  const args = ['--from', `${from}`, '--seeds', `${seeds}`, '--steps', `${task.steps}`]
  const more = [
    ...['--share', ...(values.known ? ['--known'] : []), ...(values.verbose ? ['--verbose'] : [])],
    ...(values.theme ? ['--theme', values.theme] : []),
  ]
  const options = { execArgv: [...process.execArgv, ...PLAIN_MACHINE] }
  const child = fork(import.meta.filename, [...args, ...more], options)
  const found = new Promise<Findings>((resolve, reject) => {
    child.once('message', (message) => resolve(message as Findings))
    child.once('exit', (code) =>
      reject(new Error(`a process of the simulation ended with ${code}`)),
    )
  })
  return { child, found }
}

function merge(parts: readonly Findings[]): Findings {
  const whole = new Coverage()
  const broken: Record<string, number[]> = {}
  for (const part of parts) {
    whole.add(part.reached)
    for (const [law, seeds] of Object.entries(part.broken))
      broken[law] = [...(broken[law] ?? []), ...seeds]
  }
  const expected = parts[0]?.expected ?? []
  const played = parts.reduce((sum, part) => sum + part.played, 0)
  return { reached: whole.toJSON(), expected, broken, played }
}

function report({ reached, expected, broken, played }: Findings): void {
  const whole = new Coverage()
  whole.add(reached)
  console.log(whole.print(played >= 100 ? expected : [], played).join('\n'))
  for (const [law, seeds] of Object.entries(broken))
    console.log(`broken: ${law}: seeds ${seeds.join(', ')}`)
  const seconds = (elapsed() - began) / 1_000
  console.log(`${played} stories of ${task.steps} acts in ${seconds.toFixed(1)} s`)
}
