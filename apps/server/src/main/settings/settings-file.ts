import { readFileSync } from 'node:fs'
import { ALL_SETTINGS, type Environment } from './read-settings.ts'

const LINE = /^([A-Z][A-Z0-9_]*)=(.*)$/
const QUOTED = /^(["'])(.*)\1$/
const NAMES = new Set(ALL_SETTINGS.flatMap(([name]): string[] => [name, `${name}_FILE`]))

/**
 * Adds the settings of the file that `SETTINGS_FILE` names, if it names one, to those of the environment, which take
 * precedence. The program reads the file itself, so no shell changes its values: a value is everything after `=`.
 * @returns the settings, and one line for each mistake in the file
 */
export function withSettingsFile(env: Environment): { env: Environment; problems: string[] } {
  const path = env.SETTINGS_FILE?.trim()
  if (!path) return { env, problems: [] }
  try {
    const { values, problems } = parseSettings(readFileSync(path, 'utf8'))
    const isGiven = (name: string) => Boolean(env[name]?.trim())
    const others = [...values].filter(
      ([name]) =>
        !isGiven(name) && !isGiven(`${name}_FILE`) && !isGiven(name.replace(/_FILE$/, '')),
    )
    return { env: { ...env, ...Object.fromEntries(others) }, problems }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === undefined) throw error
    const problem = `SETTINGS_FILE is not valid: a file of settings; it cannot be read (${code})`
    return { env, problems: [problem] }
  }
}

/** Reads lines `NAME=value`; empty ones and those that begin with `#` are skipped. Problems contain no value. */
export function parseSettings(text: string): { values: Map<string, string>; problems: string[] } {
  const values = new Map<string, string>()
  const problems: string[] = []
  for (const [index, line] of text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .entries()) {
    const content = line.trim()
    if (content === '' || content.startsWith('#')) continue
    const [, name, value = ''] = LINE.exec(content) ?? []
    const where = `line ${index + 1} of SETTINGS_FILE`
    if (name === undefined) problems.push(`${where} is not valid: it must be NAME=value`)
    else if (!NAMES.has(name)) problems.push(`${name} is not a setting: correct or remove ${where}`)
    else if (values.has(name)) problems.push(`${name} is set twice: remove ${where}`)
    else values.set(name, QUOTED.exec(value.trim())?.[2] ?? value.trim())
  }
  return { values, problems }
}
