import { readDefinitions } from '../apps/server/migrations/definitions.ts'
import { readSource, sourceFiles } from './repository.ts'

/** A source file: its path from the root, and its text. */
export type Source = { path: string; text: string }
type Owner = { module: string; isPublished: boolean }
/** A reference to a table, view or function. */
type Use = { name: string; isWrite: boolean }

/** Which modules each module may import, from the lowest module to the highest. */
const { MAY_IMPORT }: { MAY_IMPORT: Readonly<Record<string, readonly string[]>> } = await import(
  new URL('../.dependency-cruiser.mjs', import.meta.url).href
)

const SERVER = 'apps/server'
const READS = 'selectFrom|(?:inner|left|right|full|cross)Join(?:Lateral)?|using|sql\\.table'
const WRITES = 'insertInto|updateTable|deleteFrom|mergeInto'
const BUILDER = new RegExp(
  `\\b(?:${READS}|(?<write>${WRITES}))\\(\\s*\\[?\\s*['"](?<name>\\w+)`,
  'g',
)
const KEYWORD =
  /\b(?:from|join|only|using|(?<write>insert into|merge into|update|delete from|truncate|alter table|lock table|index \w+ on))\s+(?<name>\w+)/gi
/** Names with an underscore are never prose and rarely columns. */
const COMPOUND = /(?<![.\w])(?<name>[a-z]+_\w+)\b/g
const CALL = /(?<![.\w])(?<name>\w+)\(/g
const REFERENCE = /\breferences (?<name>\w+)/g
const TRIGGER = /\bcreate trigger (?<trigger>\w+)[^;]*? on (?<name>\w+)/g

const code = sourceFiles(`${SERVER}/src`, /\.ts$/)
  .filter((path) => !/\.test\.ts$|\/testing\//.test(path))
  .map((path) => ({ path, text: readSource(path) }))
const schema = sourceFiles(`${SERVER}/migrations`, /\.sql$/).map((path) => ({
  path,
  text: readSource(path),
}))

/** The owner of each table, view and function, according to the schema's files. */
function readOwners(): ReadonlyMap<string, Owner> {
  return new Map(
    readDefinitions().map(({ name, module, isPublished }) => [
      name.replace(/^\w+ /, ''),
      { module, isPublished },
    ]),
  )
}

/** The tables of each module, in alphabetical order. */
export function tablesByModule(): ReadonlyMap<string, string[]> {
  const tables = readDefinitions().filter(({ name }) => name.startsWith('table '))
  const byModule = Map.groupBy(tables, ({ module }) => module)
  return new Map(
    [...byModule].map(([module, own]) => [
      module,
      own.map(({ name }) => name.replace('table ', '')).sort(),
    ]),
  )
}

/** The tables and views that a module's code writes to, in alphabetical order. */
export function writesOf(module: string): string[] {
  const uses = code.filter(({ path }) => moduleOf(path) === module)
  const writes = uses.flatMap(({ text }) => usesInCode(text)).filter(({ isWrite }) => isWrite)
  return [...new Set(writes.map(({ name }) => name))].sort()
}

/** Finds references in the server's code and schema that bypass another module's interface, one line each. */
export function findTrespasses(extra: readonly Source[] = []): string[] {
  const owners = readOwners()
  return [...code, ...schema, ...extra].flatMap(({ path, text }) => {
    const module = moduleOf(path)
    const uses = path.endsWith('.sql') ? usesInSql(text) : usesInCode(text)
    const found = uses.flatMap((use) => judge(module, use, owners.get(use.name)) ?? [])
    return [...new Set(found)].map((trespass) => `${path}: ${trespass}`)
  })
}

function judge(module: string, { name, isWrite }: Use, owner: Owner | undefined) {
  if (owner === undefined || owner.module === module) return undefined
  if (isWrite) return `writes ${name} of ${owner.module}`
  if (!owner.isPublished) return `reads ${name} of ${owner.module}`
  return mayUse(module, owner.module)
    ? undefined
    : `reads ${name} of ${owner.module}, a higher module`
}

function mayUse(module: string, other: string): boolean {
  if (other === 'platform' || module === 'main') return true
  return MAY_IMPORT[module]?.includes(other) ?? false
}

/** All modules, from the lowest to the highest. */
const ORDER = ['platform', ...Object.keys(MAY_IMPORT)]

/** Finds the schema's foreign keys and triggers on tables of higher modules. */
export function findUpwardKeys(extra: readonly Source[] = []): string[] {
  const owners = readOwners()
  return [...schema, ...extra].flatMap(({ path, text }) => {
    const module = moduleOf(path)
    return [...text.matchAll(REFERENCE), ...text.matchAll(TRIGGER)].flatMap(({ groups }) => {
      const { name = '', trigger = 'a key' } = groups ?? {}
      const other = owners.get(name)?.module ?? module
      return ORDER.indexOf(other) <= ORDER.indexOf(module) ? [] : [`${path}: ${trigger} on ${name}`]
    })
  })
}

/** The triggers on other modules' tables as `name on table`, in alphabetical order. */
export function foreignTriggers(): string[] {
  const owners = readOwners()
  return schema
    .flatMap(({ path, text }) =>
      [...text.matchAll(TRIGGER)].flatMap(({ groups }) => {
        const { trigger = '', name = '' } = groups ?? {}
        return owners.get(name)?.module === moduleOf(path) ? [] : [`${trigger} on ${name}`]
      }),
    )
    .sort()
}

function moduleOf(path: string): string {
  return (
    /\/modules\/([a-z]+)\//.exec(path)?.[1] ??
    /\/src\/([a-z]+)\//.exec(path)?.[1] ??
    /\d-([a-z]+)[^/]*\.sql$/.exec(path)?.[1] ??
    ''
  )
}

function usesInSql(text: string): Use[] {
  const sql = text.replace(/--.*$/gm, '').replace(/'[^']*'/g, "''")
  return usesOf(sql, [KEYWORD]).filter(({ name }) => name !== 'on')
}

function usesInCode(text: string): Use[] {
  const bare = text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '')
  const templates = sqlTemplates(bare).map((one) => one.replace(/'[^']*'/g, "''"))
  return [
    ...usesOf(bare, [BUILDER]),
    ...templates.flatMap((one) => [
      ...usesOf(one, [KEYWORD, COMPOUND, CALL]),
      { name: one.trim(), isWrite: false },
    ]),
  ]
}

function usesOf(text: string, patterns: readonly RegExp[]): Use[] {
  return patterns.flatMap((pattern) =>
    [...text.matchAll(pattern)].map(({ groups }) => ({
      name: groups?.name ?? '',
      isWrite: groups?.write !== undefined,
    })),
  )
}

/** The texts of all `sql` templates. Interpolated values are left out, except nested templates. */
function sqlTemplates(code: string): string[] {
  return [...code.matchAll(/\bsql(?:<[^`]*?>)?`/g)].map(({ 0: start, index }) =>
    templateAt(code, index + start.length),
  )
}

function templateAt(code: string, start: number): string {
  let text = ''
  for (let at = start; at < code.length && code[at] !== '`'; at += 1) {
    if (code.startsWith('${', at)) at = endOfValue(code, at + 2)
    else text += code[at]
  }
  return text
}

/** The index of the brace that closes an interpolation which starts after `${`. */
function endOfValue(code: string, start: number): number {
  let depth = 1
  for (let at = start; at < code.length; at += 1) {
    if (code[at] === '`') at += templateEnd(code, at + 1)
    else if (code[at] === '{') depth += 1
    else if (code[at] === '}') depth -= 1
    if (depth === 0) return at
  }
  return code.length
}

function templateEnd(code: string, start: number): number {
  let at = start
  while (at < code.length && code[at] !== '`') {
    at = code.startsWith('${', at) ? endOfValue(code, at + 2) + 1 : at + 1
  }
  return at - start + 1
}
