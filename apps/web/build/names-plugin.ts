import type { Plugin } from 'vite'

const LIBRARIES = /node_modules[\\/](@radix-ui|react-router)[\\/].*\.m?js$/
const COMPONENT_NAME = /^\s*[\w$.]+\.displayName = .+;$/gm
const CLASS_NAME = /^\s*static \{\s*__name\(this, "\w+"\);\s*\}$/gm
/** Names functions in statements, and in expressions whose value is used. */
const NAMER = /^var __name = .+;$/m
const MADE = /= (?=React[\w$]*\.(?:forwardRef|memo|createContext)\()/g

/**
 * Leaves out the names by which the parts of libraries appear in developer tools. A statement that names a part keeps it
 * in the build, even if nothing uses it.
 */
export function withoutNames(): Plugin {
  return {
    name: 'without-names',
    transform: {
      filter: { id: LIBRARIES },
      handler: (code) => ({
        code: code
          .replaceAll(COMPONENT_NAME, '')
          .replaceAll(CLASS_NAME, '')
          .replace(NAMER, 'var __name = /* @__NO_SIDE_EFFECTS__ */ (target) => target;')
          .replaceAll(MADE, '= /* @__PURE__ */ '),
        map: null,
      }),
    },
  }
}
