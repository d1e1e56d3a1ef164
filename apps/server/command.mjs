// node apps/server/command.mjs NAME [ARGUMENTS]: runs src/main/NAME.ts, a process or a command of the service, and exits
// with its exit code. It never installs or changes a package, so it is safe on every installation.
//
// With `MODE=live` or `SETTINGS_FILE` the settings are those of the environment and of that file. Otherwise they are
// those of live.env, or of the units' settings, or of the devnet that runs on DATA_DIR, with DATABASE_URL and LOG_LEVEL
// from the environment.
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import process from 'node:process'
import { exitWith, findNode, LaunchError, ROOT, requirePackages, runFile } from './launch.mjs'
import { unitSettings } from './unit-settings.mjs'

const PROCESSES = ['api', 'watcher', 'worker', 'all']
const COMMANDS = ['audit', 'doctor', 'end-halt', 'end-sessions', 'migrate', 'set-admin']
/** It only writes a new file. */
const WITHOUT_SETTINGS = ['keystore']
/** Where go-live writes the settings of a live service. */
const LIVE_ENV = join(ROOT, 'live.env')
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
  const { MODE, SETTINGS_FILE, DATA_DIR } = process.env
  if (SETTINGS_FILE) return { ...process.env, SETTINGS_FILE: resolve(SETTINGS_FILE) }
  if (MODE === 'live') return process.env
  const devnet = resolve(DATA_DIR ?? './data', 'server-settings.json')
  const ofUnits = DATA_DIR ? undefined : unitSettings()
  const here = [devnet, ...(DATA_DIR ? [] : [LIVE_ENV])].filter((file) => existsSync(file))
  const found = ofUnits === undefined ? here : [...here, ofUnits.SETTINGS_FILE]
  if (found.length > 1) {
    throw new LaunchError(
      `Both ${found.join(' and ')} exist: say which by SETTINGS_FILE=FILE, or DATA_DIR=FOLDER for a devnet.`,
    )
  }
  const [file] = found
  if (file === undefined) {
    throw new LaunchError(
      'There are no settings: write them to live.env, or name their file in SETTINGS_FILE. For a devnet, start one with npm start.',
    )
  }
  if (file === ofUnits?.SETTINGS_FILE) return { ...ofUnits, ...process.env }
  return file === devnet ? devnetSettings(file) : { ...process.env, SETTINGS_FILE: file }
}

function devnetSettings(file) {
  const given = Object.entries(process.env).filter(([name]) =>
    ['DATABASE_URL', 'LOG_LEVEL'].includes(name),
  )
  const settings = JSON.parse(readFileSync(file, 'utf8'))
  return { PATH: process.env.PATH, ...settings, LOG_LEVEL: 'warn', ...Object.fromEntries(given) }
}
