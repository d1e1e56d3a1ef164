// node apps/server/command.mjs NAME [ARGUMENTS]: runs src/main/NAME.ts, a process or a command of the service, and exits
// with its exit code. It never installs or changes a package, so it is safe on every installation.
//
// With `MODE=live` the settings are those of the environment. Otherwise they are those of the devnet that runs on
// DATA_DIR, with DATABASE_URL, LOG_LEVEL and the backup settings from the environment.
import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import process from 'node:process'
import { exitWith, findNode, LaunchError, requirePackages, runFile } from './launch.mjs'

const PROCESSES = ['api', 'watcher', 'worker', 'all']
const COMMANDS = [
  'archive',
  'audit',
  'backup',
  'doctor',
  'end-halt',
  'migrate',
  'restore',
  'set-admin',
]
/** They only write a new file. */
const WITHOUT_SETTINGS = ['backup-key', 'keystore']
const NAMES = [...PROCESSES, ...COMMANDS, ...WITHOUT_SETTINGS]

await exitWith(async () => {
  const [name = '', ...args] = process.argv.slice(2)
  if (!NAMES.includes(name)) {
    throw new LaunchError(
      `Usage: node apps/server/command.mjs NAME [ARGUMENTS], where NAME is one of ${NAMES.join(', ')}.`,
    )
  }
  requirePackages()
  const node = findNode()
  const settings = WITHOUT_SETTINGS.includes(name) ? process.env : readSettings()
  return runFile(node, `apps/server/src/main/${name}.ts`, args, settings)
})

function readSettings() {
  if (process.env.MODE === 'live') return process.env
  const file = resolve(process.env.DATA_DIR ?? './data', 'server-settings.json')
  if (!existsSync(file)) {
    throw new LaunchError(
      'No devnet runs on this DATA_DIR: start one with npm start, or set MODE=live and its settings.',
    )
  }
  const given = Object.entries(process.env).filter(
    ([name]) => ['DATABASE_URL', 'LOG_LEVEL'].includes(name) || name.startsWith('BACKUP_'),
  )
  const settings = JSON.parse(readFileSync(file, 'utf8'))
  return { PATH: process.env.PATH, ...settings, LOG_LEVEL: 'warn', ...Object.fromEntries(given) }
}
