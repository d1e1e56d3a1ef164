/** npm run simulate -- [--seeds N] [--from S] [--seed S] [--steps N] [--verbose]: plays stories and judges them. */
import { parseArgs } from 'node:util'
import { calibrate } from './calibrate.ts'
import { Coverage } from './story/coverage.ts'
import { drawStory, EXPECTED, type Story } from './story/draw.ts'
import { shrink } from './story/shrink.ts'
import { openTheatre, type Theatre } from './story/theatre.ts'

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '20' },
    from: { type: 'string', default: '1' },
    seed: { type: 'string' },
    steps: { type: 'string', default: '25' },
    theme: { type: 'string' },
    calibrate: { type: 'boolean', default: false },
    only: { type: 'string' },
    verbose: { type: 'boolean', default: false },
    'no-shrink': { type: 'boolean', default: false },
  },
})

const elapsed = performance.now.bind(performance)
const steps = Number(values.steps)
const first = Number(values.seed ?? values.from)
const count = values.seed === undefined ? Number(values.seeds) : 1
const coverage = new Coverage()
const theatre = await openTheatre()
if (values.calibrate) {
  const missing = await calibrate(theatre, values.only)
  await theatre.close()
  process.exit(missing.length)
}
const broken = new Map<string, number[]>()
const began = elapsed()
for (let seed = first; seed < first + count; seed += 1) {
  const story = drawStory(seed, steps)
  if (values.theme !== undefined && story.theme !== values.theme) continue
  const { violations, words, digest } = await theatre.play(story, coverage)
  if (values.verbose) console.log(words.map((line) => `  ${line}`).join('\n'), digest)
  for (const { law } of violations) broken.set(law, [...(broken.get(law) ?? []), seed])
  if (violations.length === 0) continue
  console.log(`seed ${seed} (${story.theme}, ${story.nodes.tron} + ${story.nodes.bsc} nodes):`)
  for (const { law, words: what } of violations) console.log(`  ✘ ${law}: ${what}`)
  if (values.seed !== undefined && !values['no-shrink'])
    await tell(theatre, story, violations[0]?.law ?? '')
}
console.log(coverage.print(count >= 100 ? EXPECTED : []).join('\n'))
for (const [law, seeds] of broken) console.log(`${law}: seeds ${[...new Set(seeds)].join(', ')}`)
const seconds = (elapsed() - began) / 1_000
const { user, system } = process.cpuUsage()
console.log(
  `${count} stories of ${steps} acts in ${seconds.toFixed(1)} s (${((user + system) / 1e6).toFixed(1)} s of work)`,
)
await theatre.close()
process.exitCode = broken.size > 0 ? 1 : 0

/** The shortest story that breaks the same law. */
async function tell(on: Theatre, story: Story, law: string): Promise<void> {
  const unseen = new Coverage()
  const breaks = async (shorter: Story) =>
    (await on.play(shorter, unseen)).violations.some((one) => one.law === law)
  const shortest = await shrink(story, breaks)
  const { words } = await on.play(shortest, unseen)
  console.log(`  the shortest story that breaks “${law}”:`)
  for (const line of words) console.log(`    ${line}`)
}
