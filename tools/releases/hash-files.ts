import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The SHA-256 of each file, by its path. */
export type Hashes = ReadonlyMap<string, string>

export function hashOf(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex')
}

/** The hashes of all files of a folder, by their paths below it. */
export function hashFolder(folder: string): Hashes {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name))
  return new Map(files.map((path) => [path.slice(folder.length + 1), hashOf(readFileSync(path))]))
}

/** How `found` differs from `wanted`, a line for each file, in the order of their paths. */
export function differencesOf(wanted: Hashes, found: Hashes): string[] {
  const paths = [...new Set([...wanted.keys(), ...found.keys()])].toSorted()
  return paths.flatMap((path) => {
    if (wanted.get(path) === found.get(path)) return []
    if (!found.has(path)) return [`${path} is missing`]
    return [`${path} ${wanted.has(path) ? 'differs' : 'is in no source'}`]
  })
}
