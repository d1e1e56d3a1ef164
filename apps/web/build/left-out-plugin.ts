import type { Plugin } from 'vite'

/**
 * Parts of libraries that nothing here can reach, although a bundler cannot tell: lists that grow page by page, and
 * links that fetch pages in advance in the framework mode of React Router.
 */
const LEFT_OUT =
  /query-core\/build\/modern\/infiniteQueryBehavior\.js$|react-router\/dist\/production\/lib\/dom\/ssr\/(links|routeModules)\.js$/
const EXPORTS = /export \{([^}]*)\}/

/** Replaces their functions by one that fails. */
export function leftOut(): Plugin {
  return {
    name: 'left-out',
    transform: {
      filter: { id: LEFT_OUT },
      handler(code, path) {
        const names = EXPORTS.exec(code)?.[1]
          ?.split(',')
          .map((name) => name.trim())
        if (names === undefined) throw new Error(`${path} exports nothing`)
        const exported = names.map((name) => `unused as ${name}`).join(', ')
        const fail = "() => { throw new Error('This part was left out of the build') }"
        return { code: `const unused = ${fail}\nexport { ${exported} }`, map: null }
      },
    },
  }
}
