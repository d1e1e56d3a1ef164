/**
 * Generates the table of server settings in docs/operating/settings.md. As a script (`npm run build:settings`), it updates the file.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ALL_SETTINGS } from '../apps/server/src/main/settings/read-settings.ts'
import { SETTINGS } from '../apps/server/src/main/settings/schema.ts'
import { ROOT, readSource } from './repository.ts'

export const SETTINGS_DOCUMENT = 'docs/operating/settings.md'
const TABLE =
  /(<!-- settings: npm run build:settings writes this table -->\n)[\s\S]*?(<!-- end -->)/
const NEEDED: readonly string[] = SETTINGS.required

type Setting = (typeof ALL_SETTINGS)[number][1]
/** The settings for operators. */
const LISTED = ALL_SETTINGS.filter(
  ([, { only, isUnlisted }]) => only !== 'devnet' && isUnlisted !== true,
)

/** Returns that page with an up-to-date table. */
export function withSettingsTable(document: string): string {
  const groups = [
    ['What must be set:', LISTED.filter(isRequired)],
    ['What may be set:', LISTED.filter((one) => !isRequired(one))],
  ] as const
  const head = '| name | value | default | meaning |\n|---|---|---|---|\n'
  const tables = groups.map(([title, group]) => `\n${title}\n\n${head}${group.map(rowOf).join('')}`)
  if (!TABLE.test(document)) throw new Error(`${SETTINGS_DOCUMENT} has no place for the table`)
  return document.replace(TABLE, (_, begin, end) => `${begin}${tables.join('')}\n${end}`)
}

function isRequired([name, setting]: (typeof LISTED)[number]): boolean {
  return name === 'MODE' || defaultOf(name, setting) === 'required'
}

function rowOf([name, setting]: (typeof LISTED)[number]): string {
  const isKey = setting.secret === 'private key'
  const value = `${setting.expects}${setting.secret === 'secret' ? '; a secret' : ''}`
  const cells = [`\`${name}${isKey ? '_FILE' : ''}\``, isKey ? `a file with ${value}` : value]
  const shown = [...cells, defaultOf(name, setting), setting.description]
  return `| ${shown.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |\n`
}

/** The table's text for a setting's default in live mode. */
function defaultOf(name: string, setting: Setting): string {
  const value = typeof setting.unset === 'object' ? setting.unset.live : setting.unset
  if (value === undefined) return NEEDED.includes(name) ? 'required' : '-'
  return value === '' ? 'none' : `\`${value.replaceAll(',', ', ')}\``
}

if (process.argv[1] === import.meta.filename) {
  writeFileSync(join(ROOT, SETTINGS_DOCUMENT), withSettingsTable(readSource(SETTINGS_DOCUMENT)))
}
