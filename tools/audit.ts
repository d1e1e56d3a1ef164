/**
 * `npm run audit`: compares the books with themselves, the contracts and the chains; exit code 1 when anything differs,
 * 3 when something could not be compared.
 * With `MODE=live` it takes the settings of this environment, else those of the devnet that runs on DATA_DIR.
 */
import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const ROOT = join(import.meta.dirname, '..')

function readSettings(): NodeJS.ProcessEnv | undefined {
  if (process.env.MODE === 'live') return process.env
  const file = resolve(process.env.DATA_DIR ?? './data', 'server-settings.json')
  if (!existsSync(file)) return undefined
  const settings = JSON.parse(readFileSync(file, 'utf8')) as NodeJS.ProcessEnv
  return { PATH: process.env.PATH, ...settings, LOG_LEVEL: 'warn' }
}

const env = readSettings()
if (env === undefined) {
  console.error(
    'No devnet runs on this DATA_DIR: start one with npm start, or set MODE=live and its settings.',
  )
  process.exitCode = 2
} else {
  const audit = spawn(
    process.execPath,
    ['apps/server/src/main/audit.ts', ...process.argv.slice(2)],
    {
      cwd: ROOT,
      env,
      stdio: 'inherit',
    },
  )
  audit.on('exit', (code) => {
    process.exitCode = code ?? 1
  })
}
