import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export const ROOT = join(import.meta.dirname, '..')

/** The folders of production code; the others are for development. */
export const PRODUCT_FOLDERS = ['apps', 'packages']
export const CODE_FOLDERS = [
  ...PRODUCT_FOLDERS,
  'contracts',
  'devnet',
  'e2e',
  'simulation',
  'tools',
  'verify',
  'bench',
]

/** Node arguments that check imports against .dependency-cruiser.mjs. */
export const BOUNDARY_CHECK = [
  join(ROOT, 'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs'),
  ...['--config', join(ROOT, '.dependency-cruiser.mjs')],
]

/** Node arguments that list the product's exports and files which only tests use. */
export const EXPORTS_CHECK = [
  join(ROOT, 'node_modules/knip/bin/knip.js'),
  ...['--no-progress', '--production', '--include', 'exports,files'],
]

const NOT_OURS = new Set(['node_modules', 'dist', 'generated', '.git'])

/** The files in a folder and its subfolders that people edit, as paths from the root, with `/`. */
export function sourceFiles(folder: string, pattern: RegExp): string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`
    if (NOT_OURS.has(entry.name)) return []
    if (entry.isDirectory()) return sourceFiles(path, pattern)
    return pattern.test(entry.name) ? [path] : []
  })
}

export function readSource(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8')
}

/** A hash of the paths and contents of these files, in any order. */
export function hashFiles(paths: readonly string[]): string {
  const hash = createHash('sha256')
  for (const path of paths.toSorted()) {
    hash.update(`${path}\0`)
    hash.update(readFileSync(join(ROOT, path)))
  }
  return hash.digest('hex')
}
