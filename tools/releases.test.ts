import { expect, test } from 'vitest'
import { readLastRelease, releasedVersions } from './releases/archive.ts'
import { readNotes } from './releases/release-notes.ts'
import { findMigrationFaults, presentMigrations } from './releases/released-migrations.ts'
import { compareVersions } from './releases/versions.ts'
import { readSource } from './repository.ts'

const { version }: { version: string } = JSON.parse(readSource('package.json'))
const released = readLastRelease()
const present = presentMigrations()
const FOLDER = 'apps/server/migrations'
/** A release of the version before this one, with the migrations that are present. */
const EARLIER = { version: '0.0.9', files: present }
const frozen = { released: EARLIER, version }

test('at most the last release is stored, and the version in progress is later', () => {
  const stored = released === undefined ? [] : [released.version]
  expect(releasedVersions()).toEqual(stored)
  expect(stored.filter((one) => compareVersions(version, one) <= 0)).toEqual([])
  expect(JSON.parse(readSource('package-lock.json')).version).toBe(version)
})

test.each([...releasedVersions(), version])(
  '%s has a section in the changelog and an upgrade page',
  (one) => {
    const { section, page } = readNotes(one)
    expect(section).toContain(`(docs/upgrades/${one}.md)`)
    for (const part of ['Who is affected', 'Before', 'Afterwards', 'Back'])
      expect(page).toContain(`**${part}.**`)
  },
)

test('[T095] released migrations have not changed', () => {
  expect(findMigrationFaults({ released, version, present })).toEqual([])
})

test.each([
  ['a changed one', `${FOLDER}/0001-baseline/01-platform.sql`, 'may not change'],
  ['a file added to one', `${FOLDER}/0001-baseline/99-more.sql`, 'name it'],
  ['a new one without a version', `${FOLDER}/9001-claims-more.sql`, 'name it'],
  ['a new one of a released version', `${FOLDER}/9001-0.0.9-claims-more.sql`, 'name it'],
  ['a new one of a later version', `${FOLDER}/9001-99.0.0-claims-more.sql`, 'name it'],
  ['a new one before released ones', `${FOLDER}/0001-${version}-claims-more.sql`, 'name it'],
])('[T095] the check refuses %s', (_what, path, reason) => {
  const faults = findMigrationFaults({
    ...frozen,
    present: new Map(present).set(path, 'select 1;'),
  })
  expect(faults).toEqual([expect.stringContaining(reason)])
  expect(faults[0]).toContain(path)
})

test('[T095] the check refuses a removed migration and accepts a new one of this version', () => {
  const path = `${FOLDER}/0001-baseline/01-platform.sql`
  const fewer = new Map(present)
  fewer.delete(path)
  expect(findMigrationFaults({ ...frozen, present: fewer })).toEqual([
    `${path} was released with ${EARLIER.version} and may not change`,
  ])
  const more = new Map(present).set(`${FOLDER}/9001-${version}-claims-more.sql`, 'select 1;')
  expect(findMigrationFaults({ ...frozen, present: more })).toEqual([])
})
