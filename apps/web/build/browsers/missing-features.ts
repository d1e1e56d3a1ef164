import { createRequire } from 'node:module'
import type { CompatData, CompatStatement, Identifier } from '@mdn/browser-compat-data'
import { OLDEST_BROWSERS } from './oldest-browsers.ts'

const data: CompatData = createRequire(import.meta.url)('@mdn/browser-compat-data')

/** Names of built-ins that some supported browser lacks. */
export type MissingFeatures = {
  /** Such as `WeakRef`. */
  globals: Set<string>
  /** Such as `Map.groupBy`. */
  statics: Set<string>
  /** Methods and properties that no older built-in has, such as `toSorted`. */
  members: Set<string>
  /** All of them, such as `Array.prototype.toSorted`. */
  paths: string[]
}

/** Interfaces that any page deals with; the names of others are too common to be recognised by name. */
const COMMON =
  /^(AbortSignal|Blob|Clipboard|Crypto|Document|DocumentFragment|Element|Event|EventTarget|File|FormData|HTML(Button|Dialog|Form|Input|Select|TextArea)?Element|Headers|History|Location|Node|NodeList|Performance|ReadableStream|Request|Response|SubtleCrypto|Text|URL|URLSearchParams|Window)$/

export function missingFeatures(): MissingFeatures {
  const missing: MissingFeatures = {
    globals: new Set(),
    statics: new Set(),
    members: new Set(),
    paths: [],
  }
  const known = new Set<string>()
  const note = ({ owner, name, isStatic, isKnown, isCommon }: Noted) => {
    if (isKnown) {
      if (!isStatic) known.add(name)
      return
    }
    missing.paths.push(isStatic ? `${owner}.${name}` : `${owner}.prototype.${name}`)
    if (isStatic) missing.statics.add(`${owner}.${name}`)
    else if (isCommon) missing.members.add(name)
  }
  const noteAll = (parent: Identifier | undefined, isApi: boolean) => {
    for (const [owner, feature] of features(parent)) {
      const isOwnerKnown = isSupported(feature)
      if (!isOwnerKnown) missing.globals.add(owner)
      for (const [fullName, member] of features(feature)) {
        if (fullName.endsWith('_event')) continue
        const name = fullName.replace(/_static$/, '')
        const isStatic = isApi ? name !== fullName : isStaticOf(owner, name)
        const isCommon = !isApi || COMMON.test(owner)
        note({ owner, name, isStatic, isKnown: isOwnerKnown && isSupported(member), isCommon })
      }
    }
  }
  noteAll(data.javascript.builtins, false)
  noteAll(data.api, true)
  for (const name of known) missing.members.delete(name)
  return missing
}

type Noted = { owner: string; name: string; isStatic: boolean; isKnown: boolean; isCommon: boolean }

/** The features directly below one that the data describes. */
function features(parent: Identifier | undefined): [string, Identifier][] {
  return partsOf(parent).filter(([, feature]) => feature.__compat !== undefined)
}

/** What is directly below a feature, described or not. */
export function partsOf(parent: Identifier | undefined): [string, Identifier][] {
  const { __compat: _, ...parts } = parent ?? {}
  return Object.entries(parts as Record<string, Identifier>)
}

/** The data does not tell, but this process has most of them. */
function isStaticOf(owner: string, name: string): boolean {
  const builtin: unknown = Reflect.get(globalThis, owner)
  if (typeof builtin === 'object' && builtin !== null) return true
  return typeof builtin === 'function' && Object.hasOwn(builtin, name)
}

export function isSupported({ __compat: compat }: Identifier): boolean {
  return compat === undefined || lackingBrowsers(compat).length === 0
}

function lackingBrowsers({ support }: CompatStatement): string[] {
  return Object.entries(OLDEST_BROWSERS)
    .filter(([browser, oldest]) => {
      const statements = [support[browser as keyof typeof OLDEST_BROWSERS] ?? []].flat()
      if (statements.length === 0) return false
      return !statements.some(
        ({ version_added: added, version_removed: removed, flags, prefix, alternative_name }) =>
          typeof added === 'string' &&
          isUpTo(added, oldest) &&
          !removed &&
          !flags &&
          !prefix &&
          !alternative_name,
      )
    })
    .map(([browser]) => browser)
}

/** Whether a version such as `15.4` or `≤37` is not newer than another; `preview` is. */
function isUpTo(version: string, oldest: string): boolean {
  const [major = Number.NaN, minor = 0] = version.replace('≤', '').split('.').map(Number)
  const [oldestMajor = 0, oldestMinor = 0] = oldest.split('.').map(Number)
  return major < oldestMajor || (major === oldestMajor && minor <= oldestMinor)
}
