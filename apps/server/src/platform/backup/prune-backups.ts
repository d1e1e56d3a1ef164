import { type Clock, DAY_MS } from '../clock.ts'
import { completeBackups, manifestName } from './manifest.ts'
import type { BackupStore } from './store.ts'

/**
 * Removes backups older than `keepDays`, and unfinished ones after a day. The newest complete one always stays.
 * @returns the names of the removed ones
 */
export async function pruneBackups(
  { store, clock }: { store: BackupStore; clock: Clock },
  keepDays: number,
): Promise<string[]> {
  const complete = await completeBackups(store)
  const objects = await store.list()
  const names = new Set(objects.flatMap((name) => /^[^/]+(?=\/)/.exec(name) ?? []))
  const isOld = (name: string) => {
    const days = complete.includes(name) ? keepDays : 1
    const takenAt = takenAtOf(name)
    return takenAt !== undefined && clock.now().getTime() - takenAt.getTime() > days * DAY_MS
  }
  const old = [...names].filter((name) => name !== complete.at(-1) && isOld(name)).sort()
  for (const name of old) {
    // The manifest goes first: without it the backup does not count, even if removing the rest fails.
    const parts = objects.filter((object) => object.startsWith(`${name}/`))
    const first = manifestName(name)
    if (parts.includes(first)) await store.remove(first)
    for (const part of parts) if (part !== first) await store.remove(part)
  }
  return old
}

/** When a backup was taken, by its name; undefined for anything else in the storage. */
export function takenAtOf(name: string): Date | undefined {
  const found = /^(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)-(\d{3})Z$/.exec(name)
  if (found === null) return undefined
  const [, day, hours, minutes, seconds, ms] = found
  return new Date(`${day}T${hours}:${minutes}:${seconds}.${ms}Z`)
}
