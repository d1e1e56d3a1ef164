import { i18n, say } from './texts.ts'

/** The scope under which the build puts what the service says after a success, by its English sentence. */
const SCOPE = 'successes.'

/**
 * What the service said after a success, in the current language: other languages have a translation for its sentence,
 * English is the sentence itself.
 */
export function successText(sentence: string): string {
  if (Object.hasOwn(i18n.messages, SCOPE + sentence)) return say(SCOPE + sentence)
  for (const id of Object.keys(i18n.messages)) {
    if (!id.startsWith(SCOPE) || !id.includes('{')) continue
    const values = valuesIn(id.slice(SCOPE.length), sentence)
    if (values !== undefined) return say(id, values)
  }
  return sentence
}

/** The values of a sentence that follows a pattern such as "Sessions ended: {count}."; otherwise undefined. */
function valuesIn(pattern: string, sentence: string): Record<string, string> | undefined {
  const source = pattern
    .replaceAll(/[.*+?^$()|[\]\\]/g, String.raw`\$&`)
    .replaceAll(/\{(\w+)\}/g, '(?<$1>.+)')
  const groups = new RegExp(`^${source}$`).exec(sentence)?.groups
  return groups && { ...groups }
}
