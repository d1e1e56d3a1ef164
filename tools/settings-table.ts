/**
 * Generates the table of server settings in OPERATIONS.md. As a script (`npm run build:settings`), it updates the file.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ALL_SETTINGS } from '../apps/server/src/main/settings/read-settings.ts'
import { SETTINGS } from '../apps/server/src/main/settings/schema.ts'
import { ROOT, readSource } from './repository.ts'

export const SETTINGS_DOCUMENT = 'OPERATIONS.md'
const TABLE =
  /(<!-- settings: npm run build:settings writes this table -->\n)[\s\S]*?(<!-- end -->)/
const NEEDED: readonly string[] = SETTINGS.required

type Setting = (typeof ALL_SETTINGS)[number][1]
/** The settings for operators. */
const LISTED = ALL_SETTINGS.filter(
  ([, { only, isUnlisted }]) => only !== 'devnet' && isUnlisted !== true,
)

/** Returns OPERATIONS.md with an up-to-date table. */
export function withSettingsTable(document: string): string {
  const rows = LISTED.map(([name, setting]) => {
    const isKey = setting.secret === 'private key'
    const value = `${setting.expects}${setting.secret === 'secret' ? '; a secret' : ''}`
    const cells = [`\`${name}${isKey ? '_FILE' : ''}\``, isKey ? `a file with ${value}` : value]
    return `| ${[...cells, defaultOf(name, setting), setting.description].join(' | ')} |\n`
  })
  if (!TABLE.test(document)) throw new Error(`${SETTINGS_DOCUMENT} has no place for the table`)
  const head = '\n| name | value | default | meaning |\n|---|---|---|---|\n'
  return document.replace(TABLE, (_, begin, end) => `${begin}${head}${rows.join('')}\n${end}`)
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
