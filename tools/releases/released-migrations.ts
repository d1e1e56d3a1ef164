import { readSource, sourceFiles } from '../repository.ts'
import type { Release, ReleaseFiles } from './archive.ts'
import { compareVersions, type Version } from './versions.ts'

const FOLDER = 'apps/server/migrations/'
/** What every `migrate` runs again on a cluster: it has no number, and may change. */
const REPEATED = `${FOLDER}cluster/`
const NAME = /^(?<number>\d{4})-(?<introducedIn>\d+\.\d+\.\d+)-[a-z]+(-[a-z0-9]+)+\.sql$/

export type Migrations = {
  /** The last release; undefined before the first one, until which every migration may change. */
  released: Release | undefined
  /** The version in progress. */
  version: Version
  present: ReleaseFiles
}

/** The migrations in this repository. */
export function presentMigrations(): ReleaseFiles {
  const paths = sourceFiles(FOLDER.slice(0, -1), /\.sql$/)
  const once = paths.filter((path) => !path.startsWith(REPEATED))
  return new Map(once.map((path) => [path, readSource(path)]))
}

/** Released migrations that were changed or removed, and new ones with a wrong number or version in their name. */
export function findMigrationFaults({ released, version, present }: Migrations): string[] {
  if (released === undefined) return []
  const frozen = [...released.files].filter(([path]) => path.startsWith(FOLDER))
  const changed = frozen
    .filter(([path, text]) => present.get(path) !== text)
    .map(([path]) => `${path} was released with ${released.version} and may not change`)
  const last = Math.max(...frozen.map(([path]) => numberOf(path)))
  const misnamed = [...present.keys()]
    .filter((path) => !released.files.has(path))
    .filter((path) => {
      const { number, introducedIn = '' } = NAME.exec(path.slice(FOLDER.length))?.groups ?? {}
      const isLater = Number(number) > last && compareVersions(introducedIn, released.version) > 0
      return !isLater || compareVersions(introducedIn, version) > 0
    })
    .map((path) => `${path}: name it NNNN-${version}-MODULE-WHAT.sql, NNNN being above ${last}`)
  return [...changed, ...misnamed]
}

function numberOf(path: string): number {
  return Number(path.slice(FOLDER.length, FOLDER.length + 4))
}
