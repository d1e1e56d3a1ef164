import { type Plugin, transformWithOxc } from 'vite'
import { STYLE_TARGET } from './browsers/oldest-browsers.ts'

/** Lowers the modules with static blocks of classes, which Safari 15 cannot read; the build's target includes them. */
export function staticBlocks(): Plugin {
  return {
    name: 'static-blocks',
    transform: {
      filter: { id: /\.m?js$/, code: /\bstatic\s*\{/ },
      handler: (code, path) =>
        transformWithOxc(code, path, { target: [...STYLE_TARGET], lang: 'js' }),
    },
  }
}
