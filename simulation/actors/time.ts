/** Time passes, and the processes of the service get their turns. */
import { beginDays, dayOf, excuse, HOUR_MS, startOf } from '../model/books.ts'
import type { Stage } from '../story/stage.ts'
import { isOften } from '../world/world.ts'
import { choose, type Play } from './act.ts'

/** Nobody could claim from that moment until now: the days of which that took more than an hour are excused. */
export function excuseClosed(stage: Stage, from: number): void {
  const { now } = stage.world
  for (let day = dayOf(from); day <= dayOf(now); day += 1) {
    const closedMs = Math.min(startOf(day + 1), now) - Math.max(startOf(day), from)
    if (closedMs > HOUR_MS) excuse(stage.books, day)
    // So close to the hour that minutes would decide.
    if (Math.abs(closedMs - HOUR_MS) < HOUR_MS / 6) stage.doubtful.add(day)
  }
}

export const settle: Play = async (stage) => {
  await stage.world.settle()
  stage.say('everything has its turn')
}

export const oneTurn: Play = async (stage, [which]) => {
  stage.world.mine(1)
  await stage.world.turn(which % 4 === 0 ? undefined : isOften)
}

/** Only some of the loops get a turn: processes are not equally fast. */
export const someTurns: Play = async (stage, [which]) => {
  const halves = [
    (name: string) => name.startsWith('watcher'),
    (name: string) => name.endsWith('sender'),
    (name: string) => !name.startsWith('watcher') && !name.endsWith('sender'),
    (name: string) => name.startsWith('completeness'),
  ]
  stage.world.mine(1)
  await stage.world.turn(choose(halves, which))
}

export const passHours: Play = async (stage, [much]) => {
  await hours(stage, 1 + (much % 9))
}

export async function hours(stage: Stage, hours: number, only = stage.world.due()): Promise<void> {
  const { world } = stage
  const before = world.day
  await world.moveTo(world.now + hours * HOUR_MS)
  world.mine(3)
  await world.turn(only)
  if (world.day !== before) beginToday(stage)
  stage.say(`${hours} h pass`)
}

export const passDays: Play = async (stage, [much]) => {
  await days(stage, choose([1, 1, 2, 3, 5, 8], much))
}

export const passMonth: Play = async (stage, [much]) => {
  await days(stage, 30 + (much % 12))
}

export async function days(stage: Stage, count: number): Promise<void> {
  await stage.world.passDays(count, () => beginToday(stage))
  stage.say(`${count} d pass`)
}

/** The model begins the day, for every plan. */
export function beginToday(stage: Stage): void {
  // Whether nobody could claim for more than an hour is for the service to say.
  if (stage.world.process('api') === undefined)
    for (const day of [stage.world.day - 1, stage.world.day]) stage.doubtful.add(day)
  for (const plan of stage.books.plans.keys()) beginDays(stage.books, plan, stage.world.day)
}
