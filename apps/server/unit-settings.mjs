// The settings of systemd's units (operations/systemd), for commands that an operator runs beside them. Used by both
// launchers, so it needs only Node.js.
import { existsSync } from 'node:fs'
import { join } from 'node:path'

const FOLDER = '/etc/dct-earning'
/** The files that the units name, and pass on as credentials. */
const FILES = {
  SETTINGS_FILE: 'settings.env',
  DATABASE_URL_FILE: 'database-url',
  TRON_OPERATOR_KEYSTORE_FILE: 'keys/tron-operator.json',
  TRON_OPERATOR_PASSPHRASE_FILE: 'tron-operator-passphrase',
  BSC_PAYOUT_KEYSTORE_FILE: 'keys/bsc-payout.json',
  BSC_PAYOUT_PASSPHRASE_FILE: 'bsc-payout-passphrase',
}

/** What the units have there; undefined without their settings file. */
export function unitSettings(folder = FOLDER) {
  const found = Object.entries(FILES)
    .map(([name, file]) => [name, join(folder, file)])
    .filter(([, path]) => existsSync(path))
  const settings = Object.fromEntries(found)
  return settings.SETTINGS_FILE === undefined ? undefined : { MODE: 'live', ...settings }
}
