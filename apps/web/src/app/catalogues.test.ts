import { expect, test } from 'vitest'
import { compileSentence, type Texts } from '../shared/i18n/texts.ts'
import { indonesian } from './indonesian.ts'

const modules = import.meta.glob<Record<string, unknown>>(
  ['../**/*.texts.ts', '../shared/chain/wallet-error.ts'],
  { eager: true },
)
const english = Object.values(modules).flatMap((module) => Object.values(module).filter(isTexts))

function isTexts(value: unknown): value is Texts<Record<string, string>> {
  return typeof value === 'object' && value !== null && 'scope' in value && 'english' in value
}

const placeholders = (sentence: string) =>
  compileSentence(sentence)
    .filter((part) => typeof part !== 'string')
    .map(([name]) => name)
    .toSorted()

test('every feature speaks Indonesian', () => {
  expect(english.length).toBeGreaterThan(5)
  expect(Object.keys(indonesian).toSorted()).toEqual(english.map(({ scope }) => scope).toSorted())
})

test.each(english.map((texts) => [texts.scope, texts] as const))(
  'the sentences of %s say the same things in both languages',
  (scope, texts) => {
    const translated = indonesian[scope] ?? {}
    expect(Object.keys(translated).toSorted()).toEqual(Object.keys(texts.english).toSorted())
    for (const [key, sentence] of Object.entries(texts.english)) {
      expect([key, placeholders(translated[key] ?? '')]).toEqual([key, placeholders(sentence)])
    }
  },
)

test('a sentence is compiled into text and placeholders', () => {
  expect(compileSentence('Page {page} of {pages}.')).toEqual([
    'Page ',
    ['page'],
    ' of ',
    ['pages'],
    '.',
  ])
  expect(compileSentence('{a}{b}')).toEqual([['a'], ['b']])
  expect(compileSentence('{not a name} {}')).toEqual(['{not a name} {}'])
})
