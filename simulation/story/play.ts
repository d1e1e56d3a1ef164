/** Plays a story to its end, and judges it. */

import { claimBy, payBy } from '../actors/holders.ts'
import { startAgain } from '../actors/restores.ts'
import { days } from '../actors/time.ts'
import { judgeMessages, judgeTold } from '../laws/messages.ts'
import { judgeOwed, judgePaid } from '../laws/money.ts'
import { comeToRest } from '../laws/rest.ts'
import { judgeScreens } from '../laws/screens.ts'
import { judgeService } from '../laws/service.ts'
import { unpaidClaim } from '../model/earning.ts'
import { randomFrom } from '../world/random.ts'
import { ACTS, type Story } from './draw.ts'
import { noteSeen } from './late.ts'
import type { Stage, Violation } from './stage.ts'

export type Ending = { violations: readonly Violation[]; words: readonly string[]; digest: string }

export async function play(stage: Stage, story: Story): Promise<Ending> {
  stage.world.onDayEnd = () => noteSeen(stage)
  stage.hasDeaths = story.acts.some(({ kind }) => DEATHS.has(kind))
  let at = 0
  for (const { kind, numbers } of story.acts) {
    at += 1
    stage.random = randomFrom(story.seed * 1_000 + at)
    stage.coverage.reach('act', kind)
    await keepRunning(stage)
    const said = stage.words.length
    await ACTS[kind]?.(stage, numbers)
    if (stage.words.length === said && !SILENT.has(kind))
      stage.coverage.reach('nothing to do', kind)
    judgePaid(stage)
    judgeMessages(stage)
  }
  stage.say('all faults are over')
  await comeToRest(stage)
  await judge(stage)
  if (story.hasHarvest) {
    await harvest(stage)
    await comeToRest(stage)
    await judge(stage)
  }
  stage.coverage.endStory()
  const { violations, words } = stage
  return { violations, words, digest: digestOf(stage) }
}

/** Acts in which processes die, or lose their database, at a certain statement. */
const DEATHS = new Set(['crash', 'crash of the api', 'database fails'])

/** Acts that say nothing though they do what they are for. */
const SILENT = new Set(['turn', 'some turns'])

/** What ended is started again, as process managers do. A process that found no node waits for the next time. */
async function keepRunning(stage: Stage): Promise<void> {
  for (const name of ['api', 'worker'] as const) {
    if (stage.world.process(name) === undefined) await startAgain(stage, name)
  }
  if (stage.world.process('api') === undefined) stage.doubtful.add(stage.world.day)
}

async function judge(stage: Stage): Promise<void> {
  judgeOwed(stage)
  await judgeTold(stage)
  await judgeService(stage)
  await judgeScreens(stage)
}

/** Some days later everybody claims what they can, and pays: nothing that happened may stand in their way. */
async function harvest(stage: Stage): Promise<void> {
  await days(stage, 4)
  for (const holder of stage.holders) {
    for (const plan of stage.books.plans.keys()) {
      const earning = stage.earningOf(holder, plan)
      if (earning === undefined) continue
      const open = unpaidClaim(earning) ?? (await claimBy(stage, holder, plan, 'FULL'))
      if (open !== undefined) await payBy(stage, holder, plan, open, 'exact')
    }
  }
}

/** The same seed must give the same digest, or it would not repeat. */
function digestOf({ world, words }: Stage): string {
  const { tron, bsc } = world.chains
  return [tron.head.hash, bsc.head.hash, words.length].join(' ')
}
