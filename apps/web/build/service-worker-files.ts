import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin, Rolldown } from 'vite'

const WORKER = 'service-worker.js'
/** Files in the public folder that every page needs. */
const PUBLIC_FILES = ['favicon.svg']
/** Files that no script imports, but every page references. */
const OF_EVERY_PAGE = /^assets\/(start|old-browsers)-|\.(css|woff2)$/
/** Modules and fonts that hardly any holder needs. */
const NEVER_KEPT = /[\\/]admin-|tronwallet-adapter|chain[\\/]remote|-(cyrillic|vietnamese)-/

/**
 * Injects the list of files to cache and the build's version into the service worker. The list contains everything that
 * a holder's pages can need, so that an open page keeps working after the server has switched to another build.
 */
export function serviceWorkerFiles(): Plugin {
  let publicFolder: string
  return {
    name: 'service-worker-files',
    configResolved({ publicDir }) {
      publicFolder = publicDir
    },
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const worker = chunkOf(bundle, WORKER)
        const page = bundle['index.html']
        if (page?.type !== 'asset') throw new Error('The build has no index.html')
        const entry = Object.values(bundle).find(
          (file) => file.type === 'chunk' && file.isEntry && file !== worker,
        )
        if (!entry) throw new Error('The build has no entry')
        const named = Object.keys(bundle).filter(
          (name) => OF_EVERY_PAGE.test(name) && !NEVER_KEPT.test(name),
        )
        const assets = [...filesOf(bundle, entry.fileName, new Set(named))].toSorted()
        const files = [...PUBLIC_FILES, ...assets].map((name) => `/${name}`)
        const digest = createHash('sha256').update(page.source).update(files.join())
        for (const name of PUBLIC_FILES) digest.update(readFileSync(join(publicFolder, name)))
        worker.code = [
          `const KEPT_FILES = ${JSON.stringify(files)}`,
          `const ENTRY = ${JSON.stringify(`/${entry.fileName}`)}`,
          `const VERSION = ${JSON.stringify(digest.digest('hex').slice(0, 12))}`,
          worker.code,
        ].join(';')
      },
    },
  }
}

/** A chunk and everything that it loads: scripts, style sheets, fonts. */
function filesOf(bundle: Rolldown.OutputBundle, start: string, seen = new Set<string>()) {
  const file = bundle[start]
  const source = file?.type === 'chunk' ? file.facadeModuleId : start
  if (seen.has(start) || NEVER_KEPT.test(source ?? '')) return seen
  seen.add(start)
  if (file?.type !== 'chunk') return seen
  const { importedCss = [], importedAssets = [] } = file.viteMetadata ?? {}
  for (const next of [...file.imports, ...file.dynamicImports, ...importedCss, ...importedAssets]) {
    filesOf(bundle, next, seen)
  }
  return seen
}

function chunkOf(bundle: Rolldown.OutputBundle, name: string): Rolldown.OutputChunk {
  const file = bundle[name]
  if (file?.type !== 'chunk') throw new Error(`The build has no ${name}`)
  return file
}
