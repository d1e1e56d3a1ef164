import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Rolldown } from 'vite'

type Context = Parameters<Rolldown.CodeSplittingNameFunction>[1]

const SOURCES = join(import.meta.dirname, '../src')
const PAGES = readdirSync(join(SOURCES, 'app/pages'))
  .filter((file) => /-pages?\.tsx$/.test(file))
  .map((file) => join(SOURCES, 'app/pages', file))
const OPEN_PAGES = PAGES.filter((page) =>
  /(login|register|transparency|support-case|about|message-link)-/.test(page),
)
const LOGIN = PAGES.filter((page) => page.endsWith('/login-page.tsx'))
const REGISTER = PAGES.filter((page) => page.endsWith('/register-page.tsx'))
const DASHBOARD = PAGES.filter((page) => page.endsWith('/dashboard-page.tsx'))
const OTHER_PAGES = PAGES.filter((page) => !DASHBOARD.includes(page))
const ENTRY = join(SOURCES, 'main.tsx')
const TX_AREA = join(SOURCES, 'app/tx-area.tsx')

const REACT = /node_modules[\\/](react|react-dom|scheduler)[\\/]|rolldown[\\/]runtime/

/** Groups code that pages share into a few chunks, which compress better and load faster than many small ones. */
export const SHARED_CHUNKS: Rolldown.CodeSplittingGroup[] = [
  // Separate from `base`, because two parallel downloads are faster than one.
  { name: 'react', test: REACT, priority: 4 },
  {
    name: (id, context) => (isInBase(id, context) ? 'base' : null),
    debugName: 'base',
    priority: 3,
  },
  {
    name: (id, context) => (isInFigures(id, context) ? 'figures' : null),
    debugName: 'figures',
    priority: 2,
  },
  {
    name: (id, context) => (isInHolder(id, context) ? 'holder' : null),
    debugName: 'holder',
    priority: 1,
  },
  // The hint of the dashboard, with what the page to which it leads needs of it.
  { name: 'messages-hint', test: /[\\/](?:messages-hint|message-settings-query)\./, priority: 1 },
]

/** Whether a module is needed by every page, or by both the login and a page to which it leads. */
function isInBase(id: string, context: Context): boolean {
  // The entry stays a separate chunk, by which the manifest and the service worker identify the build.
  if (id === ENTRY || id.endsWith('.html')) return false
  const isFor = (roots: readonly string[]) => needed(roots, context).has(id)
  return isFor([ENTRY]) || (isFor(LOGIN) && (isFor([TX_AREA, ...DASHBOARD]) || isFor(REGISTER)))
}

/** Whether the dashboard shares a module with a page that is open to visitors, other than the login. */
function isInFigures(id: string, context: Context): boolean {
  const isFor = (roots: readonly string[]) => needed(roots, context).has(id)
  return isFor([TX_AREA, ...DASHBOARD]) && isFor(OPEN_PAGES)
}

/** Whether the dashboard shares a module with other pages of signed-in users, or with its own lazily loaded parts. */
function isInHolder(id: string, context: Context): boolean {
  const isFor = (roots: readonly string[]) => needed(roots, context).has(id)
  const later = [...needed(DASHBOARD, context)].flatMap(
    (module) => context.getModuleInfo(module)?.dynamicallyImportedIds ?? [],
  )
  const others = [...OTHER_PAGES, ...later].filter((module) => !DASHBOARD.includes(module))
  return isFor([TX_AREA]) || (isFor(DASHBOARD) && isFor(others))
}

/** These modules and all their static imports. */
function needed(roots: readonly string[], context: Context): Set<string> {
  const found = new Set(roots)
  // The loop also visits what it adds.
  for (const id of found) {
    for (const imported of context.getModuleInfo(id)?.importedIds ?? []) found.add(imported)
  }
  return found
}
