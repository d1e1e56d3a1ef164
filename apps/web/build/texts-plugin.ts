import type { Plugin } from 'vite'
import { compileCatalogue } from './catalogue.ts'
import { compileTexts } from './source-texts.ts'

/** Compiles the English sentences of `*.texts.ts` files and the PO files of the other languages. */
export function texts(): Plugin {
  return {
    name: 'texts',
    enforce: 'pre',
    transform: {
      filter: { id: /\.(texts\.ts|po)$/ },
      async handler(code, path) {
        if (!path.endsWith('.po')) return { code: compileTexts(path, code), map: null }
        return { code: await compileCatalogue(path, code), map: null, moduleType: 'js' }
      },
    },
  }
}
