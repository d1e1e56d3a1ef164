import { existsSync, readFileSync } from 'node:fs'
import { replaceFile } from '@dct/contracts/deployment'
import type { Settings } from '../../apps/server/src/main/settings/schema.ts'

export type SettingLines = Partial<Record<keyof Settings, string>>

/** Settings that the deployment cannot determine, in the order in which operators fill them in. */
const LEFT_TO_FILL: readonly (keyof Settings | `${keyof Settings}_FILE`)[] = [
  ...([
    'DATABASE_URL',
    'PUBLIC_ORIGIN',
    'SUPPORT_EMAIL',
    'ADMINS',
    'TRON_OPERATOR_KEYSTORE_FILE',
    'TRON_OPERATOR_PASSPHRASE_FILE',
  ] as const),
  ...(['BSC_RPC', 'BSC_USDT', 'BSC_RECEIVER', 'BSC_PAYOUT_VAULT'] as const),
  ...(['BSC_START_BLOCK', 'BSC_PAYOUT_KEYSTORE_FILE', 'BSC_PAYOUT_PASSPHRASE_FILE'] as const),
]

/**
 * Writes settings to a file that `SETTINGS_FILE` names. Lines with other settings are preserved; settings that are still
 * missing are added as comments, which their values later replace.
 */
export function updateSettingsFile(path: string, values: SettingLines): void {
  const text = existsSync(path) ? readFileSync(path, 'utf8') : ''
  const lines = text === '' ? [] : text.replace(/\n$/, '').split('\n')
  const named = (name: string) => lines.findIndex((line) => line.startsWith(`${name}=`))
  for (const [name, value] of Object.entries(values)) {
    const set = named(name)
    const at = set < 0 ? lines.indexOf(`# ${name}=`) : set
    lines.splice(at < 0 ? lines.length : at, at < 0 ? 0 : 1, `${name}=${value}`)
  }
  for (const name of LEFT_TO_FILL) {
    if (named(name) < 0 && !lines.includes(`# ${name}=`)) lines.push(`# ${name}=`)
  }
  replaceFile(path, `${lines.join('\n')}\n`)
}
