import { describe, expect, test } from 'vitest'
import { catalogueProblems, compileCatalogue, updateCatalogue } from './catalogue.ts'
import { compileTexts, readTexts, unusedTexts } from './source-texts.ts'

const DAYS = '{count, plural, one {# day} other {# days}} of {plan}'
const HARI = '{count, plural, other {# hari}} dari {plan}'
const GREETING = { id: 'frame.greeting', message: 'Hello' }
const WAIT = { id: 'claims.wait', message: DAYS }
const entry = (id: string, message: string, translation: string) =>
  `msgctxt "${id}"\nmsgid "${message}"\nmsgstr "${translation}"\n`

describe('problems in a catalogue are listed', () => {
  const problems = (...entries: string[]) =>
    catalogueProblems(['msgid ""\nmsgstr ""\n', ...entries].join('\n'), [GREETING, WAIT])
  const greeting = entry('frame.greeting', 'Hello', 'Halo')
  const wait = entry('claims.wait', DAYS, HARI)

  test('none when every sentence is translated', async () => {
    expect(await problems(greeting, wait)).toEqual([])
  })

  test.each([
    ['a missing key', [greeting], 'claims.wait: missing'],
    ['an empty translation', [greeting, entry('claims.wait', DAYS, '')], 'claims.wait: empty'],
    [
      'an unused key',
      [greeting, wait, entry('frame.gone', 'Gone', 'Hilang')],
      'frame.gone: unused',
    ],
    [
      'a changed sentence',
      [entry('frame.greeting', 'Hi', 'Hai'), wait],
      'frame.greeting: its English has changed',
    ],
    [
      'a fuzzy translation',
      [`#, fuzzy\n${greeting}`, wait],
      'frame.greeting: its English has changed',
    ],
    [
      'another placeholder',
      [greeting, entry('claims.wait', DAYS, HARI.replace('{plan}', '{paket}'))],
      'claims.wait: placeholders {count} {paket} instead of {count} {plan}',
    ],
    [
      'an additional placeholder inside a plural form',
      [entry('frame.greeting', 'Hello', '{jumlah, plural, other {Halo {nama}}}'), wait],
      'frame.greeting: placeholders {jumlah} {nama} instead of none',
    ],
    [
      'an unclosed brace',
      [entry('frame.greeting', 'Hello', 'Halo {nama'), wait],
      expect.stringMatching(/^frame\.greeting: .*Error/),
    ],
  ])('%s', async (_, entries, problem) => {
    expect(await problems(...entries)).toEqual([problem])
  })
})

test('an update adds and drops sentences, and marks translations for review when their English text has changed', async () => {
  const before = await updateCatalogue('id', undefined, [GREETING, WAIT])
  const translated = before.replace('"Hello"\nmsgstr ""', '"Hello"\nmsgstr "Halo"')
  const sources = [
    { ...GREETING, message: 'Good day' },
    { id: 'frame.bye', message: 'Bye' },
  ]
  const after = await updateCatalogue('id', translated, sources)
  expect(after).toContain('#, fuzzy\nmsgctxt "frame.greeting"\nmsgid "Good day"\nmsgstr "Halo"\n')
  expect(after).toContain(entry('frame.bye', 'Bye', ''))
  expect(after).not.toContain('claims.wait')
  expect(await updateCatalogue('id', after, sources)).toBe(after)
})

test('a catalogue is compiled including plural forms; missing translations fall back to English', async () => {
  const content = entry('claims.wait', DAYS, HARI) + entry('frame.greeting', 'Hello', '')
  const forms = '["count","plural",{"other":["#"," hari"]}]'
  expect(await compileCatalogue('id.po', content)).toBe(
    `export const messages = {"claims.wait":[${forms}," dari ",["plan"]],\n"frame.greeting":["Hello"]}`,
  )
})

test('English sentences are extracted from the code and compiled in place', () => {
  const code =
    "export const x = defineTexts('claims', { wait: 'For {count} days', end: 'It’s over' })"
  expect(readTexts('x.texts.ts', code).map(({ id, message }) => ({ id, message }))).toEqual([
    { id: 'claims.wait', message: 'For {count} days' },
    { id: 'claims.end', message: 'It’s over' },
  ])
  expect(compileTexts('x.texts.ts', code)).toBe(
    'export const x = defineTexts(\'claims\', { wait: ["For ",["count"]," days"], end: ["It’s over"] })',
  )
})

test('wordings are extracted from the code like other sentences', () => {
  const code = "defineWording('loginWording', { title: 'Login' })"
  expect(readTexts('x.texts.ts', code)).toMatchObject([
    { id: 'loginWording.title', message: 'Login' },
  ])
})

test.each([
  "defineTexts('claims', { wait: WAIT })",
  "defineTexts('claims', { [wait]: 'Wait' })",
  "defineTexts('claims', { ...others })",
  "defineTexts('claims', others)",
  "defineTexts('claims', { wait: 'For {count' })",
])('%s cannot be translated', (code) => {
  expect(() => compileTexts('x.texts.ts', code)).toThrow('x.texts.ts')
})

test('a text that no code uses is listed', () => {
  const texts = ['a.title', 'a.payTitle', 'a.gone'].map((id) => ({ id }))
  // biome-ignore lint/suspicious/noTemplateCurlyInString: this is code that contains a template
  expect(unusedTexts(texts, "text('title') + text(`${action}Title`)")).toEqual([{ id: 'a.gone' }])
})
