#!/usr/bin/env node
// dct NAME [ARGUMENTS]: runs a process or a command of the service. Lies in the root of a finished build (npm run build),
// which needs only Node.js: nothing is installed where the service runs.
import { existsSync, readdirSync } from 'node:fs'
import process from 'node:process'

const OLDEST_NODE = 24
const PROGRAMS = new URL('server/', import.meta.url)
/** Where settings are looked for unless SETTINGS_FILE names them: here, as go-live writes them, and where units have them. */
const SETTINGS_FILES = ['live.env', '/etc/dct-earning/settings.env']

const [name = '', ...args] = process.argv.slice(2)
const file = new URL(`${name}.js`, PROGRAMS)
if (Number.parseInt(process.versions.node, 10) < OLDEST_NODE) {
  fail(`This needs Node ${OLDEST_NODE} or newer, not ${process.version}.`)
} else if (!/^[a-z-]+$/.test(name) || !existsSync(file)) {
  const names = readdirSync(PROGRAMS).flatMap((one) => /^([a-z-]+)\.js$/.exec(one)?.[1] ?? [])
  fail(`Usage: dct NAME [ARGUMENTS], where NAME is one of ${names.sort().join(', ')}.`)
} else {
  const settings = SETTINGS_FILES.find((path) => existsSync(path))
  if (settings !== undefined) process.env.SETTINGS_FILE ??= settings
  process.argv = [process.execPath, name, ...args]
  await import(file.href)
}

function fail(text) {
  process.stderr.write(`${text}\n`)
  process.exitCode = 1
}
