import { compileMessageOrThrow } from '@lingui/message-utils/compileMessage'
import { type ESTree, parseSync, Visitor } from 'vite'

const DEFINITIONS = /^define(Texts|Wording)$/

/**
 * An English sentence of a `defineTexts` or `defineWording` call: `id` is `scope.key`; `start` and `end` are the
 * offsets of its literal.
 */
export type SourceText = { id: string; message: string; start: number; end: number }

/**
 * Extracts the English sentences that a `*.texts.ts` file defines, in order.
 * @throws if a scope, key or sentence is not a plain literal, because only literals can be extracted
 */
export function readTexts(path: string, code: string): SourceText[] {
  const texts: SourceText[] = []
  new Visitor({
    CallExpression({ callee, arguments: [scope, english] }) {
      if (callee.type !== 'Identifier' || !DEFINITIONS.test(callee.name)) return
      if (english?.type !== 'ObjectExpression') throw notLiteral(path, code, callee)
      for (const property of english.properties) {
        if (property.type !== 'Property') throw notLiteral(path, code, property)
        const { key, value } = property
        const name = key.type === 'Identifier' && !property.computed ? key.name : undefined
        if (name === undefined || !isString(scope) || !isString(value)) {
          throw notLiteral(path, code, property)
        }
        const { start, end } = value
        texts.push({ id: `${scope.value}.${name}`, message: value.value, start, end })
      }
    },
  }).visit(parseSync(path, code).program)
  return texts
}

/**
 * Lists the texts that no code uses: their key neither occurs in the code as a word nor matches one of its templates,
 * such as `${action}Title`.
 * @param code the code that may use them, without the texts themselves
 */
export function unusedTexts<T extends { id: string }>(texts: readonly T[], code: string): T[] {
  const words = new Set(code.match(/\w+/g))
  const templates = [...code.matchAll(/`(\w*)\$\{[^}]*\}(\w*)`/g)]
    .map(([, start = '', end = '']) => ({ start, end }))
    .filter(({ start, end }) => start + end !== '')
  return texts.filter(({ id }) => {
    const key = id.slice(id.indexOf('.') + 1)
    const fits = templates.some(({ start, end }) => key.startsWith(start) && key.endsWith(end))
    return !words.has(key) && !fits
  })
}

/** Returns the code with each English sentence in Lingui's compiled form, so that pages need no message parser. */
export function compileTexts(path: string, code: string): string {
  return readTexts(path, code)
    .reverse()
    .reduce((rest, { id, message, start, end }) => {
      return rest.slice(0, start) + compileText(`${path}: ${id}`, message) + rest.slice(end)
    }, code)
}

/** @throws an error that names `place` if the sentence is not valid ICU MessageFormat */
export function compileText(place: string, message: string): string {
  try {
    return JSON.stringify(compileMessageOrThrow(message))
  } catch (cause) {
    throw new Error(`${place}: ${String(cause)}`, { cause })
  }
}

function isString(node: ESTree.Node | undefined): node is ESTree.StringLiteral {
  return node?.type === 'Literal' && typeof node.value === 'string'
}

function notLiteral(path: string, code: string, { start, end }: ESTree.Node): Error {
  return new Error(`${path}: not a literal sentence: ${code.slice(start, end)}`)
}
