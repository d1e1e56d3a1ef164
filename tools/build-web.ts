/**
 * Builds the web app and the development wallet if their sources have changed since the last build. The new web app
 * replaces the old one atomically, so that a running server never serves a mix of both.
 */
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { releaseLockFile, takeLockFile } from '@dct/local-services'
import { hasCode } from '@dct/local-services/error-code'
import { buildDevelopmentWallet } from '../devnet/wallet/build.ts'
import { hashFiles, ROOT, sourceFiles } from './repository.ts'

const DIST = join(ROOT, 'apps/web/dist')
const CACHE = join(ROOT, '.cache')
const STAMP = join(CACHE, 'web-app.hash')
const FOLDERS = [
  'apps/web',
  'packages/api-contract',
  'packages/contract-abi',
  'packages/contract-abi/src/generated',
  'packages/money',
  'packages/rules',
]
const NEVER_BUILT = /\.test\.tsx?$/

function hashSources(): string {
  const files = FOLDERS.flatMap((folder) => sourceFiles(folder, /./))
    .concat('package-lock.json', 'tools/build-web.ts')
    .filter((path) => !NEVER_BUILT.test(path))
  return hashFiles(files)
}

/** Builds into `outDir`. Rejects with the build's output. */
function build(outDir: string): Promise<void> {
  const vite = join(ROOT, 'node_modules/vite/bin/vite.js')
  const child = spawn(
    process.execPath,
    [vite, 'build', '--outDir', outDir, '--emptyOutDir', '--logLevel', 'warn'],
    { cwd: join(ROOT, 'apps/web'), stdio: ['ignore', 'pipe', 'pipe'] },
  )
  let printed = ''
  child.stdout.on('data', (chunk) => {
    printed += chunk
  })
  child.stderr.on('data', (chunk) => {
    printed += chunk
  })
  process.on('exit', () => child.kill())
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => (code === 0 ? resolve() : reject(new Error(printed))))
  })
}

function swapIn(fresh: string): void {
  const old = join(CACHE, `web-app.old.${process.pid}`)
  if (existsSync(DIST)) renameSync(DIST, old)
  renameSync(fresh, DIST)
  rmSync(old, { recursive: true, force: true })
}

function explain(error: unknown): string {
  if (hasCode(error, 'EACCES', 'EROFS')) {
    return `This user may not write to ${ROOT}: start once as its owner, or use your own clone.`
  }
  return error instanceof Error ? error.message : String(error)
}

async function buildWebApp(): Promise<void> {
  const hash = hashSources()
  const isFresh =
    existsSync(join(DIST, 'index.html')) &&
    existsSync(STAMP) &&
    readFileSync(STAMP, 'utf8') === hash
  if (isFresh) return

  const startedAt = performance.now()
  console.log('Building the web app …')
  const fresh = join(CACHE, `web-app.${process.pid}`)
  try {
    await build(fresh)
    rmSync(STAMP, { force: true })
    swapIn(fresh)
    writeFileSync(STAMP, hash)
  } finally {
    rmSync(fresh, { recursive: true, force: true })
  }
  console.log(`Built the web app in ${((performance.now() - startedAt) / 1000).toFixed(1)} s.`)
}

/** Runs the task under a lock, because concurrent starts (such as browser tests) must not build into the same folders. */
async function withLock(task: () => Promise<void>): Promise<void> {
  const path = join(CACHE, 'build.lock')
  mkdirSync(CACHE, { recursive: true })
  while (takeLockFile({ path, holderArgs: 'tools/build-web.ts' }) !== undefined) await pause(100)
  try {
    await task()
  } finally {
    releaseLockFile(path)
  }
}

try {
  await withLock(async () => {
    await buildWebApp()
    await buildDevelopmentWallet()
  })
} catch (error) {
  console.error(explain(error))
  process.exitCode = 1
}
