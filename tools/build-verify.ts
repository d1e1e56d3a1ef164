/**
 * `npm run build:verify`: writes what people check the service with, and need nothing of ours for: the page
 * `verify.html` and the command `dct-verify.mjs`, each a single file. The page is checked in, with its hash, so that
 * what is served is what was read.
 */
import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'rolldown'
import { ROOT, readSource } from './repository.ts'

const PACKAGE = 'verify'
const PAGE = 'apps/web/public/verify.html'
const PAGE_HASH = 'apps/web/src/features/transparency/verify-page-hash.ts'
const COMMAND = join(PACKAGE, 'dist/dct-verify.mjs')

/** The page and the module that states its hash, by path. The same sources make the same bytes. */
export async function verifyPage(): Promise<Map<string, string>> {
  const script = await bundle('page/verify-page.ts', 'browser')
  // A function, because a text would have `$` sequences replaced.
  const page = readSource(join(PACKAGE, 'page/verify.html')).replace('SCRIPT', () => script.trim())
  const hash = createHash('sha256').update(page).digest('hex')
  const module = `/** SHA-256 of the page on which people check the list of what is owed; npm run build:verify writes it. */
export const VERIFY_PAGE_SHA256 = '${hash}'
`
  return new Map([
    [PAGE, page],
    [PAGE_HASH, module],
  ])
}

async function bundle(entry: string, platform: 'browser' | 'node'): Promise<string> {
  const { output } = await build({
    input: join(ROOT, PACKAGE, entry),
    platform,
    write: false,
    output: { format: platform === 'browser' ? 'iife' : 'esm', minify: platform === 'browser' },
  })
  const chunks = output.filter((file) => file.type === 'chunk')
  const [chunk] = chunks
  if (chunk === undefined || chunks.length > 1) throw new Error(`${entry} is not one file`)
  return chunk.code
}

async function buildAll(): Promise<void> {
  const files = await verifyPage()
  files.set(COMMAND, `#!/usr/bin/env node\n${await bundle('src/dct-verify.ts', 'node')}`)
  mkdirSync(join(ROOT, PACKAGE, 'dist'), { recursive: true })
  for (const [path, content] of files) {
    writeFileSync(join(ROOT, path), content)
    console.log(`${createHash('sha256').update(content).digest('hex')}  ${path}`)
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await buildAll()
