import { globSync, readFileSync } from 'node:fs'

/** A file's module is the word after its number or version: `02-ledger.sql`, `0002-0.2.0-ledger-holds.sql`. */
const MODULE = /\d-([a-z]+)[^/]*\.sql$/
const DEFINITION =
  /(?<reason>(?:^--.*\n)*)^create (?:or replace )?(?:unlogged )?(?<kind>table|view|type|function) (?<name>\w+)|^drop (?<dropped>table|view|type|function) (?<names>\w+(?:, \w+)*)/gm
const ONLY_READS = /\b(stable|immutable)\b/

/**
 * An object that a migration creates; `name` includes its kind, as in `table claim`. `isPublished`: other modules may read
 * it, as they may read all views and call all functions that only read.
 */
export type Definition = { name: string; module: string; reason: string; isPublished: boolean }

/** All objects that the migrations create and do not drop, in order; a replaced object keeps its position. */
export function readDefinitions(): Definition[] {
  const found = new Map<string, Definition>()
  for (const path of globSync('**/*.sql', { cwd: import.meta.dirname }).sort()) {
    const module = MODULE.exec(path)?.[1] ?? ''
    const text = readFileSync(`${import.meta.dirname}/${path}`, 'utf8')
    for (const { groups, index } of text.matchAll(DEFINITION)) {
      const { reason = '', kind = '', name = '', dropped, names = '' } = groups ?? {}
      if (dropped !== undefined) {
        for (const one of names.split(', ')) found.delete(`${dropped} ${one}`)
        continue
      }
      const key = `${kind} ${name}`
      const [head = ''] = text.slice(index).split(' as $$', 1)
      const isPublished = kind === 'view' || (kind === 'function' && ONLY_READS.test(head))
      found.set(key, { name: key, module: found.get(key)?.module ?? module, reason, isPublished })
    }
  }
  return [...found.values()]
}
