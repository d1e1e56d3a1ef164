import { type ESTree, parseSync, Visitor } from 'vite'
import type { MissingFeatures } from './missing-features.ts'

/**
 * Finds the uses of missing built-ins in a script. Methods are recognised by their names, so a use may be of something
 * else with the same name.
 * @returns such as `Map.groupBy`, `.toSorted`, `structuredClone`, or `lookbehind` in a regular expression
 */
export function findUses(path: string, code: string, missing: MissingFeatures): Set<string> {
  const uses = new Set<string>()
  const isGlobal = (node: ESTree.Node) =>
    node.type === 'Identifier' && missing.globals.has(node.name) ? node.name : undefined
  const use = (name: string | undefined) => name !== undefined && uses.add(name)
  new Visitor({
    MemberExpression(node) {
      const name = nameOf(node)
      if (name === undefined) return
      const owner = node.object.type === 'Identifier' ? node.object.name : ''
      if (missing.statics.has(`${owner}.${name}`)) use(`${owner}.${name}`)
      if (/^(window|globalThis|self)$/.test(owner) && missing.globals.has(name)) use(name)
      if (missing.members.has(name)) use(`.${name}`)
    },
    NewExpression(node) {
      use(isGlobal(node.callee))
    },
    CallExpression(node) {
      use(isGlobal(node.callee))
    },
    // The only syntax of ES2022 that Safari 15 lacks.
    StaticBlock() {
      use('static block of a class')
    },
    Literal(node) {
      if (!('regex' in node)) return
      if (/\(\?<[=!]/.test(node.regex.pattern)) use('lookbehind')
      if (node.regex.flags.includes('v')) use('flag v of a regular expression')
    },
  }).visit(parseSync(path, code).program)
  return uses
}

function nameOf(node: ESTree.MemberExpression): string | undefined {
  if (node.property.type === 'Literal') {
    return typeof node.property.value === 'string' ? node.property.value : undefined
  }
  return !node.computed && node.property.type === 'Identifier' ? node.property.name : undefined
}
