#!/usr/bin/env node
// dct NAME [ARGUMENTS]: runs a process or a command of the service. Lies in the root of a finished build (npm run build),
// which needs only Node.js: nothing is installed where the service runs.
import { existsSync, readdirSync } from 'node:fs'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { unitSettings } from './unit-settings.mjs'

const OLDEST_NODE = 24
const PROGRAMS = new URL('server/', import.meta.url)
/** Where an operator may put the settings, beside this file. */
const SETTINGS_FILE = fileURLToPath(new URL('live.env', import.meta.url))

const [name = '', ...args] = process.argv.slice(2)
const file = new URL(`${name}.js`, PROGRAMS)
if (Number.parseInt(process.versions.node, 10) < OLDEST_NODE) {
  fail(`This needs Node ${OLDEST_NODE} or newer, not ${process.version}.`)
} else if (!/^[a-z-]+$/.test(name) || !existsSync(file)) {
  const names = readdirSync(PROGRAMS).flatMap((one) => /^([a-z-]+)\.js$/.exec(one)?.[1] ?? [])
  fail(`Usage: dct NAME [ARGUMENTS], where NAME is one of ${names.sort().join(', ')}.`)
} else {
  if (process.env.SETTINGS_FILE === undefined) Object.assign(process.env, findSettings())
  process.argv = [process.execPath, name, ...args]
  await import(file.href)
}

/** Settings from the file here, or those of the units; the environment takes precedence. */
function findSettings() {
  const ofUnits = unitSettings()
  if (!existsSync(SETTINGS_FILE)) return { ...ofUnits, ...process.env }
  if (ofUnits === undefined) return { SETTINGS_FILE }
  fail(`Both ${SETTINGS_FILE} and ${ofUnits.SETTINGS_FILE} exist: say which by SETTINGS_FILE=FILE.`)
  process.exit()
}

function fail(text) {
  process.stderr.write(`${text}\n`)
  process.exitCode = 1
}
