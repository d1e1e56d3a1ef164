import { i18n, say } from './texts.ts'

/** The scopes of the service's messages about successes and audits; the build keys both by their English sentences. */
type Scope = 'successes' | 'audit'

/**
 * Translates a message of the service to the current language by its English sentence; returns it unchanged in English,
 * or without a translation.
 */
export function serviceSentence(scope: Scope, sentence: string): string {
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
