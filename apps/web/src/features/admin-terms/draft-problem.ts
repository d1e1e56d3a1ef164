import { readTerms, shapeOf, TermsFormatError } from '@dct/rules/terms-document'
import type { PublishedText, TermsLanguage } from '@dct/rules/terms-placeholders'
import { placeholderProblems } from '@dct/rules/terms-placeholders'

export type DraftProblem =
  | { kind: 'missing' | 'unknown'; placeholder: string }
  | { kind: 'invalid'; excerpt: string }

/** Why the service would refuse one language of a draft; undefined if it would not. */
export function draftProblem(kind: PublishedText, text: string): DraftProblem | undefined {
  const { missing, unknown } = placeholderProblems(kind, text)
  if (missing !== undefined) return { kind: 'missing', placeholder: missing }
  if (unknown !== undefined) return { kind: 'unknown', placeholder: unknown }
  try {
    readTerms(text)
  } catch (error) {
    if (error instanceof TermsFormatError) return { kind: 'invalid', excerpt: error.excerpt }
    throw error
  }
  return undefined
}

/** Whether both languages have the same parts and clauses. Both must be parseable. */
export function isSameShape(texts: Readonly<Record<TermsLanguage, string>>): boolean {
  const [id, en] = [texts.id, texts.en].map((text) => shapeOf(readTerms(text)).join())
  return id === en
}
