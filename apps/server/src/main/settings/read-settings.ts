import { readFileSync, statSync } from 'node:fs'
import { isIPv6 } from 'node:net'
import { dirname, resolve } from 'node:path'
import { type TSchema, Type } from 'typebox'
import { Value } from 'typebox/value'
import { SETTINGS, type Settings } from './schema.ts'
import type { Facts, Mode } from './value-types.ts'

export type Environment = Readonly<Record<string, string | undefined>>
type Setting = TSchema & Facts
type Name = keyof Settings

/** Why one setting cannot be used: its name and the fix, never its value. */
class Problem extends Error {}

/** Every setting with its schema and its facts. */
export const ALL_SETTINGS = Object.entries(SETTINGS.properties) as unknown as readonly (readonly [
  Name,
  Setting,
])[]

/**
 * Reads every setting, each from the variable of its name or from the file that `NAME_FILE` names.
 * @returns the settings, complete if there are no problems, and one line for each that is missing or wrong
 */
export function readSettings(env: Environment): { settings: Settings; problems: string[] } {
  const settings: Partial<Record<Name, unknown>> = {}
  const problems: string[] = []
  const named = isModeNamed(env) ? env : { ...env, MODE: 'live' }
  if (named !== env) problems.push('MODE is missing: live')
  for (const [name, setting] of ALL_SETTINGS) {
    const mode = settings.MODE === 'live' ? 'live' : 'devnet'
    if ((setting.only ?? mode) !== mode) continue
    try {
      settings[name] =
        readSetting(named, name, setting) ?? unsetValue(name, setting, mode, settings)
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      problems.push(error.message)
    }
  }
  return { settings: settings as Settings, problems }
}

/** A forgotten line must not make a service one for development, which always has a control address. */
function isModeNamed({ MODE, MODE_FILE, CONTROL_URL }: Environment): boolean {
  return [MODE, MODE_FILE, CONTROL_URL].some((value) => value?.trim())
}

function readSetting(env: Environment, name: Name, setting: Setting): unknown {
  const file = `${name}_FILE`
  const [text, path] = [env[name]?.trim(), env[file]?.trim()]
  const isKey = setting.secret === 'private key'
  if (text && path) throw new Problem(`${name} and ${file} are both set: keep one`)
  if (text && isKey) {
    throw new Problem(
      `${name} is not valid: put it into a separate file, and name that file in ${file}`,
    )
  }
  if (text) return parse(setting, text, `${name} is not valid: ${setting.expects}`)
  if (!path) return undefined
  const content = readFile(path, `${file} is not valid: a file that holds ${setting.expects}`)
  const value = parse(
    setting,
    content,
    `${file} is not valid: a file that holds ${setting.expects}`,
  )
  if (isKey) requireOwnFile(path, file, env)
  return value
}

/** The value of a setting that is not set. */
function unsetValue(
  name: Name,
  setting: Setting,
  mode: Mode,
  others: Partial<Record<Name, unknown>>,
): unknown {
  const text = typeof setting.unset === 'object' ? setting.unset[mode] : setting.unset
  if (text === '') return []
  if (text !== undefined) {
    const filled = text.replace(/\{(\w+)\}/g, (_, other: Name) => shownInUrl(`${others[other]}`))
    return parse(setting, filled, `${name} is not valid: ${setting.expects}`)
  }
  if (Type.IsOptional(setting)) return undefined
  throw new Problem(`${name} is missing: ${setting.expects}`)
}

/** An IPv6 address needs brackets in a URL. */
function shownInUrl(value: string): string {
  return isIPv6(value) ? `[${value}]` : value
}

/** @throws Problem with the given line */
function parse(setting: Setting, text: string, problem: string): unknown {
  try {
    const value = toJson(setting, text)
    if (Value.Check(setting, value)) return Value.Decode(setting, value)
  } catch (error) {
    if (!(error instanceof RangeError || error instanceof TypeError)) throw error
  }
  throw new Problem(problem)
}

/** Converts a text to the type that the setting's schema expects, because environment variables are only texts. */
function toJson(setting: Setting, text: string): unknown {
  if (Type.IsInteger(setting)) return /^\d{1,15}$/.test(text) ? Number(text) : text
  if (!Type.IsArray(setting)) return text
  const parts = text.split(',').map((part) => part.trim())
  const named = parts.filter((part) => part !== '')
  if (named.length === 0) throw new RangeError('nothing is named')
  return named
}

function readFile(path: string, problem: string): string {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new Problem(`${problem}; it cannot be read (${code})`)
  }
}

/** Windows has no permission bits. */
const HAS_FILE_MODES = process.platform !== 'win32'
const OF_OTHERS = 0o077
/** systemd admits a unit's user to its credentials by an access list, which shows as rights of the group. */
const OF_OTHERS_OF_UNIT = 0o007

function requireOwnFile(path: string, file: string, { CREDENTIALS_DIRECTORY }: Environment): void {
  const mode = statSync(path).mode & 0o777
  const isCredential = dirname(resolve(path)) === CREDENTIALS_DIRECTORY
  if (!HAS_FILE_MODES || (mode & (isCredential ? OF_OTHERS_OF_UNIT : OF_OTHERS)) === 0) return
  throw new Problem(
    `${file} names a file that others may read (mode ${mode.toString(8)}): chmod 600 it, and replace the key if others had access`,
  )
}
