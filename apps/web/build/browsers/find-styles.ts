import { createRequire } from 'node:module'
import type { CompatData, Identifier } from '@mdn/browser-compat-data'
import { isSupported, partsOf } from './missing-features.ts'

const { css }: CompatData = createRequire(import.meta.url)('@mdn/browser-compat-data')

/** Functions and units by name, wherever the data describes them. */
const TYPES = new Map<string, Identifier>()
collect(css.types)

function collect(parent: Identifier | undefined): void {
  for (const [name, feature] of partsOf(parent)) {
    const known = TYPES.get(name)
    if (feature.__compat !== undefined && (known === undefined || !isSupported(feature))) {
      TYPES.set(name, feature)
    }
    collect(feature)
  }
}

/**
 * Finds what some supported browser ignores in minified styles, unless the same rule declares the property before in a
 * way that all of them know.
 * @returns such as `scrollbar-gutter`, `color-mix()`, `100dvh`, `@container`, `:has`
 */
export function findStyles(minified: string): Set<string> {
  const found = new Set<string>()
  const styles = withoutQueried(minified)
  for (const [, name = ''] of styles.matchAll(/@([a-z-]+)/g)) {
    if (isMissing(css['at-rules']?.[name])) found.add(`@${name}`)
  }
  for (const [, name = ''] of styles.matchAll(/[^{}]*::?([a-z-]+)(?=[^{}]*\{)/g)) {
    if (!name.startsWith('-') && isMissing(css.selectors?.[name])) found.add(`:${name}`)
  }
  for (const [, rule = ''] of styles.matchAll(/\{([^{}]*)\}/g)) {
    const known = new Set<string>()
    for (const declaration of rule.split(';')) {
      const [property = '', value = ''] = split(declaration)
      const missing = missingIn(property, value)
      if (missing === undefined) known.add(property)
      // A browser discards what it does not know only where there is no variable.
      else if (!known.has(property) || value.includes('var(')) found.add(missing)
    }
  }
  return found
}

function split(declaration: string): [string, string] {
  const at = declaration.indexOf(':')
  return [declaration.slice(0, at), declaration.slice(at + 1)]
}

/** Leaves out what browsers apply only if they support it. */
function withoutQueried(styles: string): string {
  const start = styles.indexOf('@supports')
  if (start < 0) return styles
  let depth = 0
  for (let at = styles.indexOf('{', start); at < styles.length; at += 1) {
    if (styles[at] === '{') depth += 1
    if (styles[at] === '}') depth -= 1
    if (depth === 0) return styles.slice(0, start) + withoutQueried(styles.slice(at + 1))
  }
  return styles
}

/** The first part of a declaration that some browser does not know. */
function missingIn(property: string, value: string): string | undefined {
  if (property.startsWith('-')) return undefined
  const feature = css.properties?.[property]
  if (isMissing(feature)) return property
  for (const [, name = ''] of value.matchAll(/([a-z][a-z-]*)\(/g)) {
    if (isMissing(TYPES.get(name))) return `${name}()`
  }
  for (const [, unit = ''] of value.matchAll(/\d([dls]v[a-z]+|cq[a-z]+|[a-z]?lh|cap)\b/g)) {
    if (isMissing(TYPES.get(unit)) || /^([dls]v|cq)/.test(unit)) return unit
  }
  for (const [word] of value.matchAll(/[a-z][a-z-]+/g)) {
    if (isMissing(feature?.[word])) return `${property}: ${word}`
  }
  return undefined
}

function isMissing(feature: Identifier | undefined): boolean {
  return feature?.__compat !== undefined && !isSupported(feature)
}
