// Preloaded by processes that tests start: runs the bundle of a program, if there is one, in place of its source file.
import { existsSync } from 'node:fs'
import { registerHooks } from 'node:module'

const ROOT = new URL('../../', import.meta.url).href
const BUNDLES = new URL('.cache/programs/', ROOT)

const hooks = registerHooks({
  resolve(specifier, context, next) {
    const found = next(specifier, context)
    // Only the program itself is imported by nobody.
    if (context.parentURL !== undefined || !found.url.startsWith(ROOT)) return found
    hooks.deregister()
    const bundle = new URL(found.url.slice(ROOT.length).replace(/\.ts$/, '.mjs'), BUNDLES)
    return existsSync(bundle) ? { ...found, url: bundle.href, format: 'module' } : found
  },
})
