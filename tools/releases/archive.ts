import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib'
import { ROOT } from '../repository.ts'
import { compareVersions, type Version } from './versions.ts'

/** The texts of a release by their paths. */
export type ReleaseFiles = ReadonlyMap<string, string>

export const RELEASES = join(ROOT, 'releases')
const EXTENSION = '.json.br'

export function archiveOf(version: Version): string {
  return join(RELEASES, `${version}${EXTENSION}`)
}

/** The bytes of a release: the same for the same files. */
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

/** The last version that was released, and its files. @throws Error while there is none */
export function readLastRelease(): { version: Version; files: ReleaseFiles } {
  const version = releasedVersions().at(-1)
  if (version === undefined) throw new Error('There is no release: cut one with npm run release.')
  const text = brotliDecompressSync(readFileSync(archiveOf(version))).toString('utf8')
  return { version, files: new Map(Object.entries(JSON.parse(text) as Record<string, string>)) }
}

/** The versions that are kept, the last one at the end. */
export function releasedVersions(): Version[] {
  if (!existsSync(RELEASES)) return []
  return readdirSync(RELEASES)
    .filter((name) => name.endsWith(EXTENSION))
    .map((name) => name.slice(0, -EXTENSION.length))
    .sort(compareVersions)
}

/** Writes a release into a folder, where `node api.js` and the others then run. */
export function writeRelease(files: ReleaseFiles, dir: string): void {
  for (const [path, text] of files) {
    const target = join(dir, path)
    mkdirSync(dirname(target), { recursive: true })
    writeFileSync(target, text)
  }
}
