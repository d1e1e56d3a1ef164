/**
 * Bundles the development wallet into `dist/wallet.js`, one classic script that a page with the policy
 * `script-src 'self'` can load. Does nothing while neither its sources nor the lock file have changed.
 */
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'vite'
import { hashFiles, ROOT } from '../../tools/repository.ts'

const HERE = import.meta.dirname
const DIST = join(HERE, 'dist')
/** The file that the server sends for /devnet/wallet.js. */
const WALLET_FILE = join(DIST, 'wallet.js')
const STAMP_FILE = join(DIST, 'sources.hash')

/** @returns the bundle's path */
export async function buildDevelopmentWallet(): Promise<string> {
  const hash = hashSources()
  const isFresh =
    existsSync(WALLET_FILE) && existsSync(STAMP_FILE) && readFileSync(STAMP_FILE, 'utf8') === hash
  if (isFresh) return WALLET_FILE
  await build({
    configFile: false,
    root: HERE,
    logLevel: 'warn',
    define: { 'process.env.NODE_ENV': '"production"', global: 'globalThis' },
    build: {
      outDir: DIST,
      emptyOutDir: true,
      target: 'es2022',
      reportCompressedSize: false,
      lib: {
        entry: join(HERE, 'src/main.ts'),
        formats: ['iife'],
        name: 'developmentWallet',
        fileName: () => 'wallet.js',
      },
    },
  })
  writeFileSync(STAMP_FILE, hash)
  return WALLET_FILE
}

function hashSources(): string {
  const files = globSync(['devnet/wallet/**/*.ts', 'packages/contract-abi/src/**/*.ts'], {
    cwd: ROOT,
    exclude: (path) => path.includes('node_modules'),
  })
  return hashFiles([...files, 'package-lock.json'])
}

if (import.meta.main) console.log(await buildDevelopmentWallet())
