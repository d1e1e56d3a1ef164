import type { Plugin } from 'vite'

/**
 * Parts of libraries that nothing here can reach, although a bundler cannot tell: lists that grow page by page, and
 * links that fetch pages in advance in the framework mode of React Router.
 */
const LEFT_OUT = /\b(infiniteQueryBehavior|hasNextPage|hasPreviousPage|PrefetchPageLinks)\b/g
const MODULES =
  /query-core\/build\/modern\/infiniteQueryBehavior\.js$|react-router\/dist\/production\/lib\/dom\/ssr\/components\.js$/
const EXPORTS = /^export \{[^}]*\}/m

/** Replaces these functions by one that fails, and so leaves out everything that only they need. */
export function leftOut(): Plugin {
  return {
    name: 'left-out',
    transform: {
      filter: { id: MODULES },
      handler(code, path) {
        const names = EXPORTS.exec(code)?.[0]
        const exported = names?.replaceAll(LEFT_OUT, 'unused as $1')
        if (names === undefined || exported === names) throw new Error(`${path} has another form`)
        const fail = "() => { throw new Error('This part was left out of the build') }"
        return { code: code.replace(names, () => `const unused = ${fail}\n${exported}`), map: null }
      },
    },
  }
}
