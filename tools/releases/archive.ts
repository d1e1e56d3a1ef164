import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib'
import { ROOT } from '../repository.ts'
import { compareVersions, type Version } from './versions.ts'

/** The text of each file of a release, by its path. */
export type ReleaseFiles = ReadonlyMap<string, string>

export const RELEASES = join(ROOT, 'releases')
const EXTENSION = '.json.br'

export function archiveOf(version: Version): string {
  return join(RELEASES, `${version}${EXTENSION}`)
}

/** Packs a release. The same files always give the same bytes. */
export function packRelease(files: ReleaseFiles): Buffer {
  const sorted = [...files].toSorted(([one], [other]) => (one < other ? -1 : 1))
  const text = JSON.stringify(Object.fromEntries(sorted))
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
    [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
    [constants.BROTLI_PARAM_SIZE_HINT]: Buffer.byteLength(text),
  }
  return brotliCompressSync(text, { params })
}

export type Release = { version: Version; files: ReleaseFiles }

/** The last released version and its files; undefined if no version was released yet. */
export function readLastRelease(): Release | undefined {
  const version = releasedVersions().at(-1)
  if (version === undefined) return undefined
  const text = brotliDecompressSync(readFileSync(archiveOf(version))).toString('utf8')
  return { version, files: new Map(Object.entries(JSON.parse(text) as Record<string, string>)) }
}

/** The versions whose release is stored, from the earliest to the latest. */
export function releasedVersions(): Version[] {
  if (!existsSync(RELEASES)) return []
  return readdirSync(RELEASES)
    .filter((name) => name.endsWith(EXTENSION))
    .map((name) => name.slice(0, -EXTENSION.length))
    .sort(compareVersions)
}

/** Writes a release into a folder, where its programs can be run, such as `node api.js`. */
export function writeRelease(files: ReleaseFiles, dir: string): void {
  for (const [path, text] of files) {
    const target = join(dir, path)
    mkdirSync(dirname(target), { recursive: true })
    writeFileSync(target, text)
  }
}
