import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isEmail, readEmail } from './email.ts'

test.each([
  'a@b.co',
  'first.last+tag@mail.example.org',
  "o'neil@example.com",
  'юзер@пример.рф',
  'a@xn--e1afmkfd.xn--p1ai',
  'a@sub-domain.example.museum',
  `${'a'.repeat(242)}@example.com`,
])('an e-mail: %s', (text) => {
  expect(isEmail(text)).toBe(true)
  expect(readEmail(text)).toEqual({ email: text })
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
  ['a comma in the name', 'a,b@example.com'],
  ['a comma in the domain', 'a@example,com'],
  ['a comma for a dot', 'a@gmail,com'],
  ['brackets', '<a@example.com>'],
  ['a scheme', 'mailto:a@example.com'],
  ['a quoted name', '"a b"@example.com'],
  ['two dots in the name', 'a..b@example.com'],
  ['a dot before the name', '.a@example.com'],
  ['a dot after the name', 'a.@example.com'],
  ['a hyphen before the domain', 'a@-example.com'],
  ['a hyphen after a label', 'a@example-.com'],
  ['a top level of one letter', 'a@example.c'],
  ['a number', 'a@127.0.0.1'],
  ['a number in brackets', 'a@[127.0.0.1]'],
  ['an encoded line break', 'a@example.com%0a'],
  ['a path', 'a@example.com/x'],
])('not an e-mail: %s', (_name, text) => {
  expect(isEmail(text)).toBe(false)
})

const CLEANED = [
  'E-mail: a@example.com',
  'email:a@example.com',
  'To: a@example.com',
  'surel : a@example.com',
  'mailto://a@example.com',
  'mailto%3Aa@example.com',
  'a@example.com/',
  'a@example\u3002com',
  'a@example.com,',
  'a@example.com;',
  'a@example.com.',
  'a@example.com>',
  'a@example.com)',
  'a@example.com"',
  ' a@example.com ',
  'a@example.com\u00a0',
  '\u200ba@example.com',
  'a\u200b@example.com',
  'a@exam\u00adple.com',
  '\u202aa@example.com\u202c',
  'a@example.com\r\n',
  '<a@example.com>',
  '<a@example.com>;',
  '<a@example.com',
  'A Name <a@example.com>',
  '"Name, A" <a@example.com>,',
  'mailto:a@example.com',
  'MAILTO:a@example.com?subject=Hello%20there',
  '<mailto:a@example.com>',
  '"a@example.com"',
  "'a@example.com'",
  '“a@example.com”',
  '(a@example.com)',
  '`a@example.com`',
  'ａ＠example.com',
  'a@example．com',
  'a@example。com'.replace('。', '.'),
]
test.each(CLEANED)('%j is read as a@example.com', (typed) => {
  expect(readEmail(typed)).toEqual({ email: 'a@example.com' })
})

test.each([
  ['', 'missing'],
  [' \u200b', 'missing'],
  ['a@example.com, b@example.com', 'several'],
  ['a@example.com b@example.com', 'several'],
  ['A <a@example.com>, B <b@example.com>', 'several'],
  ['a@example.com\r\nBcc: b@example.com', 'several'],
  ['a@gmail,com', 'invalid'],
  ['a b@example.com', 'invalid'],
  ['a@example.com please', 'invalid'],
  ['"a b"@example.com', 'invalid'],
  ['a@example', 'invalid'],
  ['a@[127.0.0.1]', 'invalid'],
  ['a at example.com', 'invalid'],
  ['mailto:', 'invalid'],
  ['a²@example.com', 'invalid'],
] as const)('%j is refused: %s', (typed, problem) => {
  expect(readEmail(typed)).toEqual({ problem })
})

test('whatever is read is an e-mail, and is read as itself', () => {
  const odd = fc.constantFrom(...'<>(),;:."\'@ \u200b?=', 'mailto:', 'Name ')
  const wrapped = fc
    .tuple(fc.array(odd, { maxLength: 4 }), fc.emailAddress(), fc.array(odd, { maxLength: 4 }))
    .map(([before, email, after]) => before.join('') + email + after.join(''))
  fc.assert(
    fc.property(fc.oneof(wrapped, fc.string({ maxLength: 300 })), (typed) => {
      const { email } = readEmail(typed)
      if (email !== undefined) {
        expect(isEmail(email)).toBe(true)
        expect(readEmail(email)).toEqual({ email })
      }
    }),
  )
})

test('any text is checked quickly', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 20_000 }), (text) => typeof isEmail(text) === 'boolean'),
  )
  expect(isEmail(`${'a@'.repeat(5_000)}.`)).toBe(false)
  for (const part of ['a.', 'a-', '<', '(', 'a@', '.', '"', 'mailto:', ' ']) {
    expect(readEmail(`${part.repeat(200)}@${part.repeat(100)}`)).not.toHaveProperty('email')
    expect(isEmail(`a@${part.repeat(100)}`)).toBe(false)
  }
})
