import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  parseReferralCode,
  REFERRAL_CODE_ALPHABET,
  readReferralLink,
  referralCodeFrom,
} from './referral-code.ts'

test('a code has 8 characters from an alphabet without look-alikes', () => {
  expect(new Set(REFERRAL_CODE_ALPHABET).size).toBe(32)
  expect(REFERRAL_CODE_ALPHABET).not.toMatch(/[01OI]/)
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 8, maxLength: 8 }), (random) => {
      const code = referralCodeFrom(random)
      expect(code).toMatch(/^[A-Z2-9]{8}$/)
      expect(parseReferralCode(code)).toBe(code)
      expect(parseReferralCode(code.toLowerCase())).toBe(code)
    }),
  )
  expect(() => referralCodeFrom(new Uint8Array(7))).toThrow(RangeError)
})

const LINK = 'https://earn.example/register?ref=ABCD2345'
const DAMAGED = [
  ' abcd2345 ',
  'ABCD2345.',
  'ABCD2345,',
  'ABCD2345)',
  '(ABCD2345)',
  '[ABCD2345]',
  '"ABCD2345"',
  '“ABCD2345”',
  '‘ABCD2345’',
  '`ABCD2345`',
  '**ABCD2345**',
  '_ABCD2345_',
  '~ABCD2345~',
  '<ABCD2345>',
  'ABCD2345!',
  'ABCD2345/',
  'ABCD2345#',
  'ABCD2345\\',
  'ABCD2345…',
  'ABCD2345🎉',
  'ABCD2345\u200b',
  '\ufeffABCD\u200d2345',
  'ABCD\u00ad2345',
  'ABCD2345\u202c',
  'ＡＢＣＤ２３４５',
  'ABCD2345 join now',
  'ABCD2345\njoin now',
  'ABCD2345 - register here',
  'code: ABCD2345',
  'My code is ABCD2345, welcome',
  'please use abcd2345 today',
  'ABCD2345%20',
  'ABCD2345%2E',
  'ABCD2345%E2%80%8B',
  'ABCD2345%E2%80',
  'ABCD2345%',
  '%22ABCD2345%22',
  '%2522ABCD2345%2522',
  'ABCD2345%0A%0AJoin',
  'ABCD2345&utm_source=chat',
  'ABCD2345&amp;x=1',
  'ABCD2345?fbclid=IwAR0abcdefgh',
  'ABCD2345;jsessionid=1',
  'ABCD2345ABCD2345',
  'ABCD2345 ABCD2345',
  LINK,
  LINK.toUpperCase(),
  LINK.toLowerCase(),
  `${LINK}.`,
  `<${LINK}>`,
  `${LINK}${LINK}`,
  `ABCD2345${LINK}`,
  `${LINK} ${LINK}`,
  `[${LINK}](${LINK})`,
  `[ABCD2345](${LINK})`,
  `[join](${LINK})`,
  encodeURIComponent(LINK),
  encodeURIComponent(encodeURIComponent(LINK)),
  `https://earn.example/register?ref=${encodeURIComponent(LINK)}`,
  'https://l.example/?u=https%3A%2F%2Fearn.example%2Fregister%3Fref%3DABCD2345&h=AT0xyz',
  '?ref%3DABCD2345',
  '?utm_source=chat&amp;ref=ABCD2345',
  '?ref=ABCD2345&ref=ABCD2345',
  '?ref=&ref=ABCD2345',
  '?REF=abcd2345)',
  '?referral_code=ABCD2345',
]
test.each(DAMAGED)('the code is found in %j', (text) => {
  expect(parseReferralCode(text)).toBe('ABCD2345')
})

test.each([
  '',
  'ABC',
  '<script>',
  "' OR 1=1",
  'ABCD234O0',
  'ABCD-234',
  'ABCD234',
  'ABCD2345X',
  'ABCD%20',
  '?ref=ABCD23',
  'https://earn.example/register',
  'https://earn.example/register?ref=',
  'please register today',
  'ABCD2345 or WXYZ6789',
  'АВСD2345',
  '%%%',
  'A'.repeat(5_000_000),
])('[T019] not a code: %.20j', (text) => {
  expect(parseReferralCode(text)).toBeUndefined()
})

test('a link that names a code is told apart from one that names none', () => {
  expect(readReferralLink('/register?ref=ABCD2345).')).toEqual({ code: 'ABCD2345' })
  expect(readReferralLink('/register%3Fref%3DABCD2345')).toEqual({ code: 'ABCD2345' })
  expect(readReferralLink('/register?ref=ABCD23')).toEqual({ code: undefined })
  expect(readReferralLink('/register?ref=')).toBeUndefined()
  expect(readReferralLink('/register?utm_source=ABCD2345')).toBeUndefined()
  expect(readReferralLink('/register')).toBeUndefined()
})

test('any text is read quickly, and what is found has the form of a code', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 2_000 }), (text) => {
      expect(parseReferralCode(text) ?? 'ABCD2345').toMatch(/^[A-Z2-9]{8}$/)
    }),
  )
})
