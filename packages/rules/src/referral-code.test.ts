import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseReferralCode, REFERRAL_CODE_ALPHABET, referralCodeFrom } from './referral-code.ts'

test('a code has 8 characters from an alphabet without look-alikes', () => {
  expect(new Set(REFERRAL_CODE_ALPHABET).size).toBe(32)
  expect(REFERRAL_CODE_ALPHABET).not.toMatch(/[01OI]/)
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 8, maxLength: 8 }), (random) => {
      const code = referralCodeFrom(random)
      expect(code).toMatch(/^[A-Z2-9]{8}$/)
      expect(parseReferralCode(code)).toBe(code)
    }),
  )
  expect(() => referralCodeFrom(new Uint8Array(7))).toThrow(RangeError)
})

test('surrounding spaces and lower case are accepted in a code', () => {
  expect(parseReferralCode(' abcd2345 ')).toBe('ABCD2345')
})

test.each([
  '',
  'ABC',
  '<script>',
  "' OR 1=1",
  'ABCD234O0',
  'ABCD-234',
  'ＡＢＣＤ2345',
  'A'.repeat(5_000_000),
])('[T019] not a code: %.20s', (text) => {
  expect(parseReferralCode(text)).toBeUndefined()
})
