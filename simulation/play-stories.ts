/** Plays stories in this process, or calibrates it, and judges what happens in them. */
import { calibrate } from './calibrate.ts'
import { Coverage } from './story/coverage.ts'
import { drawStory, EXPECTED, type Story } from './story/draw.ts'
import { explain, storyOf } from './story/known-faults.ts'
import { isPattern } from './story/patterns.ts'
import { shrink } from './story/shrink.ts'
import { openTheatre, type Theatre } from './story/theatre.ts'

/** What one process found: how often each thing was reached, and the seeds that broke each law. */
export type Findings = {
  reached: Record<string, number>
  /** What a long run reaches. */
  expected: readonly string[]
  broken: Record<string, number[]>
  played: number
}

export type Task = {
  from: number
  seeds: number
  steps: number
  theme: string | undefined
  /** An order of events to be told with nothing else in it, in place of drawn stories. */
  pattern: string | undefined
  /** Whether violations that a known fault explains are tolerated. */
  isKnownTolerated: boolean
  isVerbose: boolean
  /** Whether a story that breaks a law is shortened. */
  isShrunk: boolean
}

/** Ctrl-C ends a run after the story that is being played: what was reached is told. */
let isStopped = false

export async function playStories(task: Task): Promise<Findings> {
  process.on('SIGINT', () => {
    isStopped = true
  })
  const { from, seeds, steps, theme, pattern } = task
  const theatre = await openTheatre()
  const coverage = new Coverage()
  const broken: Record<string, number[]> = {}
  let played = 0
  try {
    for (let seed = from; seed < from + seeds && !isStopped; seed += 1) {
      const story = pattern === undefined ? drawStory(seed, steps) : patternOf(pattern)
      if (theme !== undefined && story.theme !== theme) continue
      played += 1
      for (const law of await playOne(theatre, { story, task, coverage }))
        broken[law] = [...(broken[law] ?? []), seed]
    }
    return { reached: coverage.toJSON(), expected: EXPECTED, broken, played }
  } finally {
    await theatre.close()
  }
}

/** @param only part of the names of faults; all if undefined */
export async function findKnownFaults(only: string | undefined): Promise<Findings> {
  const theatre = await openTheatre()
  try {
    const missing = await calibrate(theatre, only)
    const broken = Object.fromEntries(missing.map((name) => [name, [0]]))
    return { reached: {}, expected: EXPECTED, broken, played: 0 }
  } finally {
    await theatre.close()
  }
}

/** @returns the laws that the story broke, without what a known fault explains */
async function playOne(
  theatre: Theatre,
  { story, task, coverage }: { story: Story; task: Task; coverage: Coverage },
): Promise<Set<string>> {
  const { violations, words, digest } = await theatre.play(story, coverage)
  if (task.isVerbose) console.log([...words, digest].map((line) => `  ${line}`).join('\n'))
  const judged = violations.map((violation) => {
    return {
      ...violation,
      cause: task.isKnownTolerated ? explain(story, violation, violations)?.name : undefined,
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
  if (task.isShrunk) await tell(theatre, story, unknown[0]?.law ?? '')
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
