/** Plays the stories of the known faults: each must still break a law. */
import { Coverage } from './story/coverage.ts'
import { KNOWN_FAULTS, storyOf } from './story/known-faults.ts'
import type { Theatre } from './story/theatre.ts'

const MOST_SHOWN = 3

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
  return missing
}
