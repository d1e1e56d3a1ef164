/**
 * npm run simulate -- [--seeds N] [--from S] [--seed S] [--steps N] [--theme T] [--jobs J] [--known] [--calibrate]:
 * plays stories and judges them. See docs/simulation.md.
 */
import { fork } from 'node:child_process'
import { parseArgs } from 'node:util'
import { calibrate } from './calibrate.ts'
import { Coverage } from './story/coverage.ts'
import { drawStory, EXPECTED, type Story } from './story/draw.ts'
import { explain, storyOf } from './story/known-faults.ts'
import { isPattern } from './story/patterns.ts'
import { shrink } from './story/shrink.ts'
import { openTheatre, type Theatre } from './story/theatre.ts'

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

/** What one process found: how often each thing was reached, and the seeds that broke each law. */
type Findings = {
  reached: Record<string, number>
  broken: Record<string, number[]>
  played: number
}

/** Ctrl-C ends a run after the stories that are being played: what they reached is told. */
let isStopped = false
const elapsed = performance.now.bind(performance)
const steps = Number(values.steps)
const first = Number(values.seed ?? values.from)
const isSingle = values.seed !== undefined || values.pattern !== undefined
const count = isSingle ? 1 : Number(values.seeds)
const jobs = Number(values.jobs)
const began = elapsed()
const findings = jobs > 1 ? merge(await Promise.all(shares().map(playElsewhere))) : await playHere()
if (values.share) process.send?.(findings)
else report(findings)
process.exitCode = Object.keys(findings.broken).length > 0 ? 1 : 0

async function playHere(): Promise<Findings> {
  process.on('SIGINT', () => {
    isStopped = true
  })
  const theatre = await openTheatre()
  const coverage = new Coverage()
  const broken: Record<string, number[]> = {}
  let played = 0
  try {
    if (values.calibrate) {
      const missing = await calibrate(theatre, values.only)
      return { reached: {}, broken: Object.fromEntries(missing.map((name) => [name, [0]])), played }
    }
    for (let seed = first; seed < first + count && !isStopped; seed += 1) {
      const story =
        values.pattern === undefined ? drawStory(seed, steps) : patternOf(values.pattern)
      if (values.theme !== undefined && story.theme !== values.theme) continue
      played += 1
      for (const law of await playOne(theatre, story, coverage))
        broken[law] = [...(broken[law] ?? []), seed]
    }
    return { reached: coverage.toJSON(), broken, played }
  } finally {
    await theatre.close()
  }
}

/** @returns the laws that the story broke, without what a known fault explains */
async function playOne(theatre: Theatre, story: Story, coverage: Coverage): Promise<Set<string>> {
  const { violations, words, digest } = await theatre.play(story, coverage)
  if (values.verbose) console.log([...words, digest].map((line) => `  ${line}`).join('\n'))
  const judged = violations.map((violation) => {
    return {
      ...violation,
      cause: values.known ? explain(story, violation, violations)?.name : undefined,
    }
  })
  const causes = new Set(judged.flatMap(({ cause }) => cause ?? []))
  for (const cause of causes) coverage.reach('known fault', `${cause} (seed ${story.seed})`)
  const unknown = judged.filter(({ cause }) => cause === undefined)
  if (unknown.length === 0) return new Set()
  console.log(
    `seed ${story.seed} (${story.theme}, ${story.nodes.tron} + ${story.nodes.bsc} nodes):`,
  )
  for (const { law, words: what } of unknown) console.log(`  ✘ ${law}: ${what}`)
  if (isSingle && !values['no-shrink']) await tell(theatre, story, unknown[0]?.law ?? '')
  return new Set(unknown.map(({ law }) => law))
}

function patternOf(name: string): Story {
  if (!isPattern(name)) throw new Error(`no order of events is called ${name}`)
  return storyOf({ name })
}

/** Tells the shortest story that breaks the same law. */
async function tell(theatre: Theatre, story: Story, law: string): Promise<void> {
  const unseen = new Coverage()
  const breaks = async (shorter: Story) =>
    (await theatre.play(shorter, unseen)).violations.some((one) => one.law === law)
  const { words } = await theatre.play(await shrink(story, breaks), unseen)
  console.log(`  the shortest story that breaks “${law}”:`)
  for (const line of words) console.log(`    ${line}`)
}

/** The seeds of each process: from, and how many. */
function shares(): { from: number; seeds: number }[] {
  const size = Math.ceil(count / jobs)
  const starts = Array.from({ length: jobs }, (_, at) => at * size).filter((start) => start < count)
  return starts.map((start) => ({ from: first + start, seeds: Math.min(size, count - start) }))
}

function playElsewhere({ from, seeds }: { from: number; seeds: number }): Promise<Findings> {
  const args = ['--from', `${from}`, '--seeds', `${seeds}`, '--steps', `${steps}`]
  const more = [
    ...['--share', ...(values.known ? ['--known'] : [])],
    ...(values.theme ? ['--theme', values.theme] : []),
  ]
  // Most of what a story makes is garbage soon: with more room for it, it is looked through less often.
  const options = { execArgv: [...process.execArgv, '--max-semi-space-size=64'] }
  const child = fork(import.meta.filename, [...args, ...more], options)
  return new Promise((resolve, reject) => {
    child.once('message', (found) => resolve(found as Findings))
    child.once('exit', (code) =>
      reject(new Error(`a process of the simulation ended with ${code}`)),
    )
  })
}

function merge(parts: readonly Findings[]): Findings {
  const whole = new Coverage()
  const broken: Record<string, number[]> = {}
  for (const part of parts) {
    whole.add(part.reached)
    for (const [law, seeds] of Object.entries(part.broken))
      broken[law] = [...(broken[law] ?? []), ...seeds]
  }
  return {
    reached: whole.toJSON(),
    broken,
    played: parts.reduce((sum, { played }) => sum + played, 0),
  }
}

function report({ reached, broken, played }: Findings): void {
  const whole = new Coverage()
  whole.add(reached)
  console.log(whole.print(played >= 100 ? EXPECTED : []).join('\n'))
  for (const [law, seeds] of Object.entries(broken))
    console.log(`broken: ${law}: seeds ${seeds.join(', ')}`)
  const { user, system } = process.cpuUsage()
  const [seconds, work] = [(elapsed() - began) / 1_000, (user + system) / 1e6]
  console.log(
    `${played} stories of ${steps} acts in ${seconds.toFixed(1)} s (${work.toFixed(1)} s of work here)`,
  )
}
