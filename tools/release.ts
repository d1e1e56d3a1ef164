/**
 * `npm run release -- VERSION`: releases the version that package.json names. Its server is bundled into one file, which the
 * tests run beside the next version, and its migrations may not change any more. Begins the next minor version. With the version
 * released last, and `--again`, that one is bundled anew: only while nobody has installed it.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { archiveOf, packRelease, RELEASES, releasedVersions } from './releases/archive.ts'
import { bundleServer } from './releases/bundle-server.ts'
import { CHANGELOG, emptyNotes, findMissingNotes, pageOf } from './releases/release-notes.ts'
import { nextMinor, type Version } from './releases/versions.ts'
import { ROOT } from './repository.ts'

type Stating = { version: Version; packages?: Record<string, { version?: Version }> }

function rewrite(path: string, change: (text: string) => string): void {
  const file = join(ROOT, path)
  writeFileSync(file, change(readFileSync(file, 'utf8')))
}

/** Writes a version into package.json or the lock file. */
function state(version: Version, path: string): void {
  rewrite(path, (text) => {
    const stated = JSON.parse(text) as Stating
    for (const one of [stated, stated.packages?.['']]) if (one !== undefined) one.version = version
    return `${JSON.stringify(stated, null, 2)}\n`
  })
}

function currentVersion(): Version {
  return (JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as Stating).version
}

function findHindrances(version: Version, isAgain: boolean): string[] {
  if (isAgain) {
    const last = releasedVersions().at(-1)
    return version === last ? [] : [`usage: npm run release -- ${last} --again (the last release)`]
  }
  const current = currentVersion()
  if (version !== current) return [`usage: npm run release -- ${current} (as in package.json)`]
  return findMissingNotes(version)
}

/** Only the last release is kept: upgrades begin with it. */
async function keep(version: Version): Promise<number> {
  const archive = packRelease(await bundleServer(version))
  mkdirSync(RELEASES, { recursive: true })
  for (const former of releasedVersions()) rmSync(archiveOf(former))
  writeFileSync(archiveOf(version), archive)
  return archive.length
}

function begin(version: Version, after: Version): void {
  for (const path of ['package.json', 'package-lock.json']) state(version, path)
  const { section, page } = emptyNotes(version)
  rewrite(CHANGELOG, (text) => text.replace(`## ${after}\n`, `${section}## ${after}\n`))
  writeFileSync(join(ROOT, pageOf(version)), page)
}

const [version = '', option] = process.argv.slice(2)
const isAgain = option === '--again'
const hindrances = findHindrances(version, isAgain)
if (hindrances.length > 0) {
  for (const line of hindrances) console.error(line)
  process.exitCode = 1
} else {
  const bytes = await keep(version)
  if (!isAgain) begin(nextMinor(version), version)
  const size = `${(bytes / 1000).toFixed(0)} kB`
  console.log(`${version} is released (${size}), ${currentVersion()} is in progress.`)
}
