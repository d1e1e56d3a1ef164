/**
 * `npm run archive`, `npm run audit`, `npm run backup`, `npm run doctor`, `npm run restore`: runs a server command and
 * exits with its exit code. With `MODE=live` it uses the settings from the environment. Otherwise it uses those of the
 * devnet that runs on DATA_DIR, with DATABASE_URL and the backup settings from the environment.
 */
import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { ROOT } from './repository.ts'

function readSettings(): NodeJS.ProcessEnv | undefined {
  if (process.env.MODE === 'live') return process.env
  const file = resolve(process.env.DATA_DIR ?? './data', 'server-settings.json')
  if (!existsSync(file)) return undefined
  const settings = JSON.parse(readFileSync(file, 'utf8')) as NodeJS.ProcessEnv
  const given = Object.entries(process.env).filter(
    ([name]) => name === 'DATABASE_URL' || name.startsWith('BACKUP_'),
  )
  return { PATH: process.env.PATH, ...settings, LOG_LEVEL: 'warn', ...Object.fromEntries(given) }
}

const [command = '', ...args] = process.argv.slice(2)
const env = readSettings()
if (env === undefined) {
  console.error(
    'No devnet runs on this DATA_DIR: start one with npm start, or set MODE=live and its settings.',
  )
  process.exitCode = 2
} else {
  const child = spawn(process.execPath, [`apps/server/src/main/${command}.ts`, ...args], {
    cwd: ROOT,
    env,
    stdio: 'inherit',
  })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal))
  child.on('exit', (code) => {
    process.exitCode = code ?? 1
  })
}
