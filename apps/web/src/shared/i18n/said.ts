import { i18n, say } from './texts.ts'

/** What the service says after a success, and about its audits; the build puts both under their English sentences. */
type Scope = 'successes' | 'audit'

/**
 * What the service said, in the current language: other languages have a translation for its sentence, English is the
 * sentence itself.
 */
export function saidText(scope: Scope, sentence: string): string {
  const start = `${scope}.`
  if (Object.hasOwn(i18n.messages, start + sentence)) return say(start + sentence)
  for (const id of Object.keys(i18n.messages)) {
    if (!id.startsWith(start) || !id.includes('{')) continue
    const values = valuesIn(id.slice(start.length), sentence)
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
