/**
 * `npm run release -- VERSION`: releases the version in package.json and starts the next minor version. The server is
 * bundled into one file, which tests run alongside the next version; from then on, the migrations of the release must
 * not change. `npm run release -- VERSION --again` replaces the bundle of the last release, which is allowed only while
 * nobody has installed it.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { archiveOf, packRelease, RELEASES, releasedVersions } from './releases/archive.ts'
import { bundleServer } from './releases/bundle-server.ts'
import { CHANGELOG, emptyNotes, findMissingNotes, pageOf } from './releases/release-notes.ts'
import { nextMinor, type Version } from './releases/versions.ts'
import { ROOT, readSource } from './repository.ts'

type Manifest = { version: Version; packages?: Record<string, { version?: Version }> }

function rewrite(path: string, change: (text: string) => string): void {
  writeFileSync(join(ROOT, path), change(readSource(path)))
}

/** Writes a version into package.json or the lock file. */
function writeVersion(version: Version, path: string): void {
  rewrite(path, (text) => {
    const manifest = JSON.parse(text) as Manifest
    for (const one of [manifest, manifest.packages?.['']])
      if (one !== undefined) one.version = version
    return `${JSON.stringify(manifest, null, 2)}\n`
  })
}

function currentVersion(): Version {
  return (JSON.parse(readSource('package.json')) as Manifest).version
}

function findObstacles(version: Version, isAgain: boolean): string[] {
  if (isAgain) {
    const last = releasedVersions().at(-1)
    return version === last ? [] : [`usage: npm run release -- ${last} --again (the last release)`]
  }
  const current = currentVersion()
  if (version !== current) return [`usage: npm run release -- ${current} (as in package.json)`]
  return findMissingNotes(version)
}

/**
 * Bundles the release and stores it in place of the former one, because upgrades start from the last release only.
 * @returns its size in bytes
 */
async function storeRelease(version: Version): Promise<number> {
  const archive = packRelease(await bundleServer(version))
  mkdirSync(RELEASES, { recursive: true })
  for (const former of releasedVersions()) rmSync(archiveOf(former))
  writeFileSync(archiveOf(version), archive)
  return archive.length
}

function startVersion(version: Version, after: Version): void {
  for (const path of ['package.json', 'package-lock.json']) writeVersion(version, path)
  const { section, page } = emptyNotes(version)
  rewrite(CHANGELOG, (text) => text.replace(`## ${after}\n`, `${section}## ${after}\n`))
  writeFileSync(join(ROOT, pageOf(version)), page)
}

const [version = '', option] = process.argv.slice(2)
const isAgain = option === '--again'
const obstacles = findObstacles(version, isAgain)
if (obstacles.length > 0) {
  for (const line of obstacles) console.error(line)
  process.exitCode = 1
} else {
  const bytes = await storeRelease(version)
  if (!isAgain) startVersion(nextMinor(version), version)
  const size = `${(bytes / 1000).toFixed(0)} kB`
  console.log(`${version} is released (${size}), ${currentVersion()} is in progress.`)
}
