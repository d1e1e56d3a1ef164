import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isEmail } from './email.ts'

test.each([
  'a@b.co',
  'first.last+tag@mail.example.org',
  "o'neil@example.com",
  'юзер@пример.рф',
  `${'a'.repeat(242)}@example.com`,
])('an e-mail: %s', (text) => {
  expect(isEmail(text)).toBe(true)
})

test.each([
  ['nothing', ''],
  ['no @', 'example.com'],
  ['no name', '@example.com'],
  ['no domain', 'a@'],
  ['no top level', 'a@example'],
  ['an empty label', 'a@example..com'],
  ['a dot at the end', 'a@example.com.'],
  ['two @', 'a@b@example.com'],
  ['a space', 'a b@example.com'],
  ['a line break and a header', 'a@example.com\r\nBcc: x@example.com'],
  ['a NUL', 'a\0@example.com'],
  ['a character that reverses the reading direction', 'a\u202e@example.com'],
  ['a zero-width space', 'a\u200b@example.com'],
  ['255 characters', `${'a'.repeat(243)}@example.com`],
])('not an e-mail: %s', (_name, text) => {
  expect(isEmail(text)).toBe(false)
})

test('any text is checked quickly', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 20_000 }), (text) => typeof isEmail(text) === 'boolean'),
  )
  expect(isEmail(`${'a@'.repeat(5_000)}.`)).toBe(false)
})
