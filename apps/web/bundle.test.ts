import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliDecompressSync, gzipSync } from 'node:zlib'
import type { Manifest } from 'vite'
import { afterAll, beforeAll, expect, test } from 'vitest'

/** The entry's key in the build's manifest. */
const ENTRY = 'index.html'
const page = (name: string) => `src/app/pages/${name}-page.tsx`
const KILOBYTE = 1_000

let folder: string
let manifest: Manifest

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'dct-web-'))
  // A separate process, because inside the test runner React would be built for development.
  const vite = join(dirname(fileURLToPath(import.meta.resolve('vite/package.json'))), 'bin/vite.js')
  const args = [vite, 'build', '--outDir', folder, '--emptyOutDir', '--logLevel', 'error']
  execFileSync(process.execPath, args, {
    cwd: import.meta.dirname,
    env: { NODE_ENV: 'production' },
  })
  manifest = JSON.parse(readFileSync(join(folder, '.vite/manifest.json'), 'utf8'))
}, 120_000)

afterAll(() => rmSync(folder, { recursive: true }))

/** The scripts of these chunks and of all their static imports. */
function scriptsOf(keys: readonly string[]): Set<string> {
  const seen = new Set<string>()
  const visit = (key: string) => {
    const chunk = manifest[key]
    if (!chunk) throw new Error(`The build has no chunk ${key}`)
    if (seen.has(chunk.file)) return
    seen.add(chunk.file)
    chunk.imports?.forEach(visit)
  }
  keys.forEach(visit)
  return seen
}

function kilobytes(files: Iterable<string>): number {
  const sizes = [...files].map((file) => gzipSync(readFileSync(join(folder, file))).length)
  return sizes.reduce((sum, size) => sum + size, 0) / KILOBYTE
}

test('the login needs at most 120 kB of compressed script', () => {
  expect(kilobytes(scriptsOf([ENTRY, page('login')]))).toBeLessThanOrEqual(120)
})

test('the dashboard needs at most 180 kB of compressed script', () => {
  expect(kilobytes(scriptsOf([ENTRY, page('dashboard')]))).toBeLessThanOrEqual(180)
})

test('the first pages contain no unused parts of libraries, nor names for developer tools', () => {
  const sent = scriptsOf([ENTRY, page('login'), page('dashboard')])
  const withoutReact = [...sent].filter((file) => !/\/react-/.test(file))
  expect(withoutReact.length).toBe(sent.size - 1)
  const texts = withoutReact.map((file) => readFileSync(join(folder, file), 'utf8')).join('\n')
  const names = texts.match(/displayName|["'`]name["'`],\s*\{value/g)
  // A form of the router, its links that fetch pages in advance, and an ordered map of the tabs.
  const parts = texts.match(/formEncType|PrefetchPageLinks|extends Map/g)
  expect({ names, parts }).toEqual({ names: null, parts: null })
})

test('the login and dashboard pages reference all their scripts, at most 12, so that none waits for another', () => {
  for (const name of ['login', 'dashboard']) {
    const html = readFileSync(join(folder, `pages/${name}.html`), 'utf8')
    const named = new Set([...html.matchAll(/="\/(assets\/[^"]+\.js)"/g)].map(([, file]) => file))
    const imported = scriptsOf([ENTRY, page(name)])
    expect([...imported].filter((file) => !named.has(file))).toEqual([])
    expect(named.size).toBeLessThanOrEqual(12)
  }
})

test('Brotli files are a tenth smaller than with gzip, and decompress to the original', () => {
  const files = readdirSync(join(folder, 'assets')).filter((file) => /\.(js|css)$/.test(file))
  expect(files.length).toBeGreaterThan(20)
  const plain = files.map((file) => readFileSync(join(folder, 'assets', file)))
  const compressed = files.map((file) => readFileSync(join(folder, 'assets', `${file}.br`)))
  const sum = (buffers: readonly Buffer[]) => buffers.reduce((all, { length }) => all + length, 0)
  expect(compressed.map((file) => brotliDecompressSync(file))).toEqual(plain)
  expect(sum(compressed)).toBeLessThan(0.9 * sum(plain.map((file) => gzipSync(file))))
})

test('admin code is not sent to holders', () => {
  const holders = ['login', 'register', 'dashboard', 'referrals', 'account'].map(page)
  const sent = scriptsOf([ENTRY, ...holders])
  const admin = Object.values(manifest).filter(({ src }) => src?.includes('/admin-'))
  expect(admin.length).toBeGreaterThanOrEqual(4)
  expect(admin.filter(({ file }) => sent.has(file))).toEqual([])
})

test('the adapters of other wallets are sent only to browsers with such a wallet', () => {
  const adapters = Object.entries(manifest).filter(([key]) => key.includes('tronwallet-adapter'))
  expect(adapters.map(([key]) => /adapter-(\w+)/.exec(key)?.[1]).toSorted()).toEqual([
    'bitkeep',
    'imtoken',
    'okxwallet',
    'onekey',
    'tokenpocket',
    'trust',
  ])
  const pages = Object.keys(manifest).filter((key) => key.startsWith('src/app/pages/'))
  const sent = scriptsOf([ENTRY, ...pages])
  expect(adapters.filter(([, { file }]) => sent.has(file))).toEqual([])
})

/** The code of remote wallets, which is fetched when one of them is chosen. */
const REMOTE = /chain\/remote\/\w+-connection\.ts$/

/** The scripts that a page can fetch at any time while no remote wallet is chosen. */
function scriptsWithoutRemote(): Set<string> {
  const seen = new Map<string, string>()
  const visit = (key: string) => {
    const chunk = manifest[key]
    if (!chunk || seen.has(key) || REMOTE.test(key)) return
    seen.set(key, chunk.file)
    for (const next of [...(chunk.imports ?? []), ...(chunk.dynamicImports ?? [])]) visit(next)
  }
  for (const [key, { isEntry }] of Object.entries(manifest)) if (isEntry) visit(key)
  return new Set(seen.values())
}

test('each remote wallet has a separate chunk, which no page fetches before the wallet is chosen', () => {
  const remote = Object.entries(manifest).filter(([key]) => REMOTE.test(key))
  expect(remote.map(([key]) => /(\w+)-connection/.exec(key)?.[1]).toSorted()).toEqual([
    'ledger',
    'metamask',
    'walletconnect',
  ])
  const others = scriptsWithoutRemote()
  for (const [key, { file }] of remote) {
    expect(others.has(file)).toBe(false)
    const rest = remote.filter(([other]) => other !== key)
    expect(rest.filter(([, other]) => scriptsOf([key]).has(other.file))).toEqual([])
  }
})

test('only the scripts of remote wallets contain chain libraries', () => {
  const others = [...scriptsWithoutRemote()].filter((file) => file.endsWith('.js'))
  expect(others.length).toBeGreaterThan(20)
  const texts = others.map((file) => readFileSync(join(folder, file), 'utf8'))
  // Names in the code of both libraries that survive minification.
  expect(texts.filter((text) => /secp256k1|keccak256/.test(text))).toEqual([])
})

test('every page has the outline that is painted while its code is loading, and code does not delay its styles', () => {
  for (const name of ['index.html', 'pages/login.html', 'pages/dashboard.html']) {
    const html = readFileSync(join(folder, name), 'utf8')
    expect(html).toMatch(
      /<div id="root">\s*<div class="frame" aria-hidden="true">[\s\S]*<svg[\s\S]*class="skeleton/,
    )
    const preloads = html.match(/<link rel="(modulepreload|preload)"[^>]*>/g)
    expect(preloads?.filter((link) => !link.includes('fetchpriority="low"'))).toEqual([])
  }
})

test('no page contains an inline script or style', () => {
  const html = ['index.html', ...readdirSync(join(folder, 'pages')).map((file) => `pages/${file}`)]
    .map((file) => readFileSync(join(folder, file), 'utf8'))
    .join()
  expect(html.match(/<script(?![^>]* src=)|<style|\sstyle=/g)).toBeNull()
})

test('the service worker caches the holder pages with all their parts, and no admin code', () => {
  const worker = readFileSync(join(folder, 'service-worker.js'), 'utf8')
  const [, list = ''] = /KEPT_FILES = (\[.*?\])/.exec(worker) ?? []
  const kept = new Set<string>(JSON.parse(list).map((path: string) => path.slice(1)))
  expect([...kept].filter((file) => !existsSync(join(folder, file)))).toEqual([])
  const scripts = Object.values(manifest).filter(({ file }) => kept.has(file))
  const pages = ['login', 'register', 'dashboard', 'referrals', 'account'].map(page)
  const parts = pages.flatMap((key) => manifest[key]?.dynamicImports ?? [])
  const needed = scriptsOf([ENTRY, ...pages, ...parts])
  expect([...needed].filter((file) => !kept.has(file))).toEqual([])
  expect(
    scripts.filter(({ src }) => /\/admin-|tronwallet-adapter|chain\/remote/.test(src ?? '')),
  ).toEqual([])
})

test('the first script of every page is in the oldest JavaScript', () => {
  const html = readFileSync(join(folder, 'index.html'), 'utf8')
  const [, first = ''] = /<script[^>]*src="\/([^"]+)"/.exec(html) ?? []
  expect(first).toMatch(/^assets\/old-browsers-/)
  const script = readFileSync(join(folder, first), 'utf8').replaceAll(/\/\/.*|'[^'\n]*'/g, '')
  expect(script).toContain('function')
  expect(script.match(/=>|`|\?\.|\?\?|\.\.\.|\b(let|const|class|async|await)\b/g)).toBeNull()
})
