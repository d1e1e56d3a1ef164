import { durationParts } from '../../shared/lib/duration-parts.ts'

/** A block's age at an instant, in the most readable unit. A block from the future is 0 s old. */
export function blockAge(blockAt: string, seenAt: string): ReturnType<typeof durationParts> {
  const ms = new Date(seenAt).getTime() - new Date(blockAt).getTime()
  return durationParts(Math.max(0, Math.floor(ms / 1_000)))
}
