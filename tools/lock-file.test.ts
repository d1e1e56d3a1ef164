import { expect, test } from 'vitest'
import { readSource } from './repository.ts'

type LockedPackage = { version?: string; optionalDependencies?: Record<string, string> }
type LockFile = { packages: Record<string, LockedPackage> }

const lock: LockFile = JSON.parse(readSource('package-lock.json'))

/** Where Node would find `name` for a package at `path`, by the lock file. */
function findLocked(path: string, name: string): LockedPackage | undefined {
  const folders = path.split('/').map((_, index, parts) => parts.slice(0, index + 1).join('/'))
  return ['', ...folders]
    .map(
      (folder) =>
        lock.packages[folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`],
    )
    .findLast((found) => found !== undefined)
}

// A registry that lacks one of them makes `npm install` leave it out, and `npm ci` then refuses.
test('the lock file names the optional packages of every platform', () => {
  const missing = Object.entries(lock.packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).filter((name) => findLocked(path, name) === undefined),
  )
  expect(missing).toEqual([])
})

test('the lock file names no registry', () => {
  expect(readSource('package-lock.json')).not.toMatch(/"resolved": "https?:/)
})
