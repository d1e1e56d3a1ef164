/** Shortens a story as long as it still breaks the same law: half of its acts, a quarter, at last one by one. */
import type { Act } from '../actors/act.ts'
import type { Story } from './draw.ts'

export async function shrink(
  story: Story,
  stillFails: (shorter: Story) => Promise<boolean>,
  mostTries = 120,
): Promise<Story> {
  let shortest = story
  let tries = 0
  for (let length = Math.ceil(story.acts.length / 2); length >= 1; ) {
    const found = await firstShorter(shortest, length, async (shorter) => {
      tries += 1
      return tries <= mostTries && (await stillFails(shorter))
    })
    if (found !== undefined) shortest = found
    else if (length === 1) return shortest
    else length = Math.floor(length / 2)
    if (tries > mostTries) return shortest
  }
  return shortest
}

async function firstShorter(
  story: Story,
  length: number,
  stillFails: (shorter: Story) => Promise<boolean>,
): Promise<Story | undefined> {
  for (let from = 0; from < story.acts.length; from += length) {
    const acts: Act[] = [...story.acts.slice(0, from), ...story.acts.slice(from + length)]
    const shorter = { ...story, acts }
    if (await stillFails(shorter)) return shorter
  }
  return undefined
}
