import type { Codes } from '@dct/api-contract/codes'
import { i18n, say } from './texts.ts'

/** The words shown in place of a code, in the current language; undefined for an unknown code. */
export function codeWords({ scope, words }: Codes, code: string): string | undefined {
  if (!Object.hasOwn(words, code)) return undefined
  const id = `${scope}.${code}`
  return Object.hasOwn(i18n.messages, id) ? say(id) : words[code]
}
