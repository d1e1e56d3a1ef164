import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { useTestDatabase } from '../src/testing/database.ts'
import { readDefinitions } from './definitions.ts'

const SERVER = join(import.meta.dirname, '..')
const read = (path: string) => readFileSync(join(SERVER, path), 'utf8')

const database = useTestDatabase(2)

test('every object that a migration creates has a comment above it', () => {
  const definitions = readDefinitions()
  expect(definitions.length).toBeGreaterThan(80)
  expect(definitions.filter(({ reason }) => reason === '').map(({ name }) => name)).toEqual([])
})

test('a table is in the file of the module that declares its type', () => {
  const tables = readDefinitions().filter(({ name }) => name.startsWith('table '))
  const astray = tables.filter(({ name, module }) => {
    const folder = module === 'platform' ? 'src/platform/database' : `src/modules/${module}`
    return !read(`${folder}/${module}.tables.ts`).includes(`\n  ${name.split(' ')[1]}: `)
  })
  expect(astray).toEqual([])
})

test('no index for searches by the end of a value leaves rows out: the planner takes its statistics only from whole ones', async () => {
  const { rows } = await sql<{ name: string; isPartial: boolean }>`
    select indexrelid::regclass::text as name, indpred is not null as "isPartial" from pg_index
    where pg_get_indexdef(indexrelid) ~ '_end\\('`.execute(database.db)
  expect(rows.length).toBeGreaterThan(10)
  expect(rows.filter(({ isPartial }) => isPartial)).toEqual([])
})
