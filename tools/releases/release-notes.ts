import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT, readSource } from '../repository.ts'
import type { Version } from './versions.ts'

/** Marks a version as unreleased in the changelog and on its page. */
export const UNRELEASED = 'Unreleased.'
export const CHANGELOG = 'CHANGELOG.md'

export function pageOf(version: Version): string {
  return `docs/upgrades/${version}.md`
}

/** A version's section of the changelog and its upgrade page; empty strings for missing ones. */
export function readNotes(version: Version): { section: string; page: string } {
  const [, ...sections] = readSource(CHANGELOG).split(/^## /m)
  const section = sections.find((text) => text.startsWith(`${version}\n`)) ?? ''
  const page = pageOf(version)
  return { section, page: existsSync(join(ROOT, page)) ? readSource(page) : '' }
}

/** What is missing in the notes before the version can be released, one line for each problem. */
export function findMissingNotes(version: Version): string[] {
  const { section, page } = readNotes(version)
  const isLinked = section.includes(`(${pageOf(version)})`)
  return [
    ...(isLinked ? [] : [`${CHANGELOG} has no section ${version} with a link to its page`]),
    ...(section.includes(UNRELEASED) ? [`${CHANGELOG} still calls it unreleased`] : []),
    ...(page.startsWith(`# ${version}\n`) ? [] : [`${pageOf(version)} is missing`]),
    ...(page.includes(UNRELEASED) ? [`${pageOf(version)} still calls it unreleased`] : []),
  ]
}

/** The initial section and page of a new version. */
export function emptyNotes(version: Version): { section: string; page: string } {
  return {
    section: `## ${version}\n\n${UNRELEASED} [${pageOf(version)}](${pageOf(version)})\n\n`,
    page: `# ${version}

${UNRELEASED}

**Who is affected.** Nobody so far.

**Before.** Nothing beyond [the usual](README.md).

**Afterwards.** \`GET /api/health\` names version ${version}, and \`npm run audit\` exits with code 0.

**Back.** Start the previous version again: the migrations of this one let it run.
`,
  }
}
