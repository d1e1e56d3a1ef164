/** One thing that somebody or something does in a story. */
import type { Stage } from '../story/stage.ts'

/** Numbers that were drawn before the story began, so that a story can be shortened without changing its other acts. */
export type Numbers = readonly [number, number, number, number]
export type Act = { kind: string; numbers: Numbers }

/** Plays an act as far as it is possible right now. What it did is said to the stage in words. */
export type Play = (stage: Stage, numbers: Numbers) => Promise<void>

/** One of several, by a number that was drawn. */
export function choose<T>(of: readonly T[], number: number): T {
  const chosen = of[number % of.length]
  if (chosen === undefined) throw new RangeError('nothing to choose from')
  return chosen
}
