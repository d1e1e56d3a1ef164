import { expect, test } from 'vitest'
import { cleanText, isEnterable } from './clean-text.ts'

test.each([
  ['a NUL', 'key \0 is wrong', 'key is wrong'],
  ['bytes of gzip', '\u001f\u008b\b\0\0\u0003x', 'x'],
  ['line breaks', 'one\r\ntwo\tthree', 'one two three'],
  ['half a character', 'a\ud83d!', 'a�!'],
  ['a turned direction', 'abc\u202edef', 'abc def'],
  ['nothing to clean', 'Überweisung 🚫 ok', 'Überweisung 🚫 ok'],
])('a text with %s can be stored', (_what, text, clean) => {
  expect(cleanText(text, 100)).toBe(clean)
})

test('a long text is cut between two characters', () => {
  expect(cleanText(`${'x'.repeat(9)}🚫`, 10)).toBe('x'.repeat(9))
  expect(cleanText(`${'x'.repeat(8)}🚫`, 10)).toBe(`${'x'.repeat(8)}🚫`)
})

test.each([
  ['a\0b', false],
  ['a\u0001b', false],
  ['a\u009fb', false],
  ['a\ud800', false],
  ['\udc00a', false],
  ['two\r\nlines\tand 🚫', true],
])('%j may have been entered: %s', (text, expected) => {
  expect(isEnterable(text)).toBe(expected)
})
