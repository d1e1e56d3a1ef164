import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin, Rolldown } from 'vite'
import { ADMIN_NAMES, OPEN_PATHS, USER_PATHS } from '../src/app/paths.ts'
import { firstCallsOf } from '../src/shared/api/first-calls.ts'

const SOURCES = join(import.meta.dirname, '../src')
const ENTRY = 'main.tsx'
const TX_AREA = 'app/tx-area.tsx'

/** The modules that are loaded first on each of these paths, besides the entry. */
const FIRST_MODULES: Readonly<Record<string, readonly string[]>> = {
  '/login': ['app/pages/login-page.tsx'],
  '/register': ['app/pages/register-page.tsx'],
  '/dashboard': [TX_AREA, 'app/pages/dashboard-page.tsx'],
  '/referrals': [TX_AREA, 'app/pages/referrals-page.tsx'],
  '/user': [TX_AREA, 'app/pages/account-page.tsx'],
}

/** The font file for Latin letters. */
const FONT = /-latin-wght-normal-.*\.woff2$/
/** The bundler's own preload links, whose order fills the browser's first connections with small files. */
const PRELOADS = /\n *<link rel="modulepreload"[^>]*>/g

/**
 * Writes `pages/NAME.html` for each path that users open directly, and `index.html` for all others. It tells the
 * browser at once which code and data the page needs, so that they load in parallel instead of one after another.
 * `pages/paths.json` lists the paths of all pages, for the server.
 */
export function pages(): Plugin {
  return {
    name: 'pages',
    generateBundle: {
      order: 'post',
      handler(_, bundle) {
        const index = bundle['index.html']
        if (index?.type !== 'asset') throw new Error('The build has no index.html')
        const bare = `${index.source}`.replace(PRELOADS, '')
        const script = (name: string) => {
          const source = readFileSync(join(SOURCES, name), 'utf8')
          return this.getFileName(this.emitFile({ type: 'asset', name, source }))
        }
        const oldBrowsers = script('old-browsers.js')
        const start = script('start.js')
        const write = (path: string) => {
          const facts = JSON.stringify({ catalogues: cataloguesIn(bundle), ...firstCallsOf(path) })
          const head = [
            `<script src="/${oldBrowsers}"></script>`,
            `<script src="/${start}" data-start="${escaped(facts)}"></script>`,
            ...linksTo([ENTRY, ...(FIRST_MODULES[path] ?? [])], bundle),
            linkToFont(bundle),
          ]
          return bare.replace('</title>', (end) => [end, ...head].join('\n    '))
        }
        index.source = write('')
        const paths = [...OPEN_PATHS, ...USER_PATHS, ...ADMIN_NAMES.map((name) => `/admin/${name}`)]
        this.emitFile({
          type: 'asset',
          fileName: 'pages/paths.json',
          source: JSON.stringify(paths),
        })
        for (const path of Object.keys(FIRST_MODULES)) {
          this.emitFile({ type: 'asset', fileName: `pages${path}.html`, source: write(path) })
        }
      },
    },
  }
}

/** The catalogue files by language. */
function cataloguesIn(bundle: Rolldown.OutputBundle): Record<string, string> {
  const found = chunksOf(bundle).flatMap(({ facadeModuleId, fileName }) => {
    const language = /\/locales\/(\w+)\.po$/.exec(facadeModuleId ?? '')?.[1]
    return language === undefined ? [] : [[language, `/${fileName}`]]
  })
  return Object.fromEntries(found)
}

/**
 * Preload links for these modules and all their static imports, largest scripts first. They have a low priority: the
 * outline, which needs only the styles, is painted before them.
 */
function linksTo(modules: readonly string[], bundle: Rolldown.OutputBundle): string[] {
  const chunks = chunksOf(bundle)
  const needed = new Set<Rolldown.OutputChunk>()
  for (const module of modules) {
    const id = join(SOURCES, module)
    const chunk =
      chunks.find(({ facadeModuleId }) => facadeModuleId === id) ??
      chunks.find(({ moduleIds }) => moduleIds.includes(id))
    if (!chunk) throw new Error(`The build has no chunk for ${module}`)
    needed.add(chunk)
  }
  // The loop also visits what it adds.
  for (const { imports } of needed) {
    for (const chunk of chunks) if (imports.includes(chunk.fileName)) needed.add(chunk)
  }
  const scripts = [...needed].toSorted((one, other) => other.code.length - one.code.length)
  return scripts.map(
    ({ fileName }) =>
      `<link rel="modulepreload" crossorigin fetchpriority="low" href="/${fileName}">`,
  )
}

/**
 * Preloads the font behind the scripts, so that it is there when text first appears, which would otherwise change its font
 * and may break into other lines while it is being read.
 */
function linkToFont(bundle: Rolldown.OutputBundle): string {
  const font = Object.keys(bundle).find((file) => FONT.test(file))
  if (font === undefined) throw new Error('The build has no font')
  return `<link rel="preload" as="font" crossorigin fetchpriority="low" href="/${font}">`
}

function chunksOf(bundle: Rolldown.OutputBundle): Rolldown.OutputChunk[] {
  return Object.values(bundle).filter((file) => file.type === 'chunk')
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;')
}
