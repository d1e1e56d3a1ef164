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

test('only the last release is stored, and the version in progress is later', () => {
  expect(releasedVersions()).toEqual([released.version])
  expect(compareVersions(version, released.version)).toBeGreaterThan(0)
  expect(JSON.parse(readSource('package-lock.json')).version).toBe(version)
})

test.each([released.version, version])(
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
  ['a new one of a released version', `${FOLDER}/9001-0.1.0-claims-more.sql`, 'name it'],
  ['a new one of a later version', `${FOLDER}/9001-99.0.0-claims-more.sql`, 'name it'],
  ['a new one before released ones', `${FOLDER}/0001-${version}-claims-more.sql`, 'name it'],
])('[T095] the check refuses %s', (_what, path, reason) => {
  const faults = findMigrationFaults({
    released,
    version,
    present: new Map(present).set(path, 'select 1;'),
  })
  expect(faults).toEqual([expect.stringContaining(reason)])
  expect(faults[0]).toContain(path)
})

test('[T095] the check refuses a removed migration and accepts a new one of this version', () => {
  const path = `${FOLDER}/0001-baseline/01-platform.sql`
  const fewer = new Map(present)
  fewer.delete(path)
  expect(findMigrationFaults({ released, version, present: fewer })).toEqual([
    `${path} was released with ${released.version} and may not change`,
  ])
  const more = new Map(present).set(`${FOLDER}/9001-${version}-claims-more.sql`, 'select 1;')
  expect(findMigrationFaults({ released, version, present: more })).toEqual([])
})
