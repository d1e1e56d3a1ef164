import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  formatEvmAddress,
  formatTronAddress,
  isTronAddress,
  parseEvmAddress,
  parseTronAddress,
} from './addresses.ts'

const account = fc.uint8Array({ minLength: 20, maxLength: 20 })
const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

test('[T005] a Tron address has one notation: base58check, which round-trips', () => {
  fc.assert(
    fc.property(account, (bytes) => {
      const text = formatTronAddress(bytes)
      expect(text).toMatch(/^T[1-9A-HJ-NP-Za-km-z]{33}$/)
      expect(parseTronAddress(text)).toEqual(bytes)
    }),
  )
})

test('a known address parses to its bytes on chain', () => {
  const bytes = parseTronAddress('TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t')
  expect(Buffer.from(bytes ?? []).toString('hex')).toBe('a614f803b6fd780986a42c78ec9c7f77e6ded13c')
})

test('[T005] an address with a changed character is never valid', () => {
  fc.assert(
    fc.property(account, fc.nat({ max: 33 }), fc.constantFrom(...BASE58), (bytes, at, sign) => {
      const text = formatTronAddress(bytes)
      const changed = text.slice(0, at) + sign + text.slice(at + 1)
      expect(isTronAddress(changed)).toBe(changed === text)
    }),
    { numRuns: 20_000 },
  )
})

test.each([
  ['41 and 40 hex digits', '41a614f803b6fd780986a42c78ec9c7f77e6ded13c'],
  ['0x and 40 hex digits', '0xa614f803b6fd780986a42c78ec9c7f77e6ded13c'],
  ['small letters', 'tr7nhqjekqxgtci8q8zy4pl8otszgjlj6t'],
  ['a space before', ' TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'],
  ['a line break after', 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t\n'],
  ['a zero-width space within', 'TR7NHqjeKQxGTCi8q8ZY4pL8\u200botSzgjLj6t'],
  ['another prefix with a valid checksum', '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa'],
  ['nothing', ''],
])('[T005] refused as a Tron address: %s', (_name, text) => {
  expect(parseTronAddress(text)).toBeUndefined()
})

test('a BSC address in mixed case must carry its checksum', () => {
  const right = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
  const wrong = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD'
  const bytes = parseEvmAddress(right)
  expect(formatEvmAddress(bytes ?? new Uint8Array())).toBe(right)
  expect(parseEvmAddress(wrong)).toBeUndefined()
  expect(parseEvmAddress(right.toLowerCase())).toEqual(bytes)
  expect(parseEvmAddress(`0x${right.slice(2).toUpperCase()}`)).toEqual(bytes)
  expect(parseEvmAddress(right.slice(2))).toBeUndefined()
  expect(parseEvmAddress(`${right}0`)).toBeUndefined()
})

test('only 20 bytes can be formatted', () => {
  expect(() => formatTronAddress(new Uint8Array(21))).toThrow(RangeError)
  expect(() => formatEvmAddress(new Uint8Array(19))).toThrow(RangeError)
})
