import fc from 'fast-check'
import { decodeAbiParameters, encodeAbiParameters, parseAbiParameters, stringToHex } from 'viem'
import { expect, test } from 'vitest'
import { encodeArguments, fromHexText, textOf, wordAt } from './abi-codec.ts'

const uint = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n })
const text = fc.string({ unit: 'grapheme', maxLength: 100 })
const account = fc.uint8Array({ minLength: 20, maxLength: 20 })
const hexOf = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')

test('arguments are encoded as by another encoder', () => {
  fc.assert(
    fc.property(uint, text, uint, account, text, (amount, plan, days, address, note) => {
      const encoded = encodeArguments(
        [
          { type: 'uint256', value: amount },
          { type: 'string', value: plan },
          { type: 'uint256', value: days },
          { type: 'address', value: 'T' },
          { type: 'string', value: note },
        ],
        () => `41${hexOf(address)}`,
      )
      const types = parseAbiParameters('uint256, string, uint256, address, string')
      const expected = encodeAbiParameters(types, [amount, plan, days, `0x${hexOf(address)}`, note])
      expect(`0x${encoded}`).toBe(expected)
      expect(decodeAbiParameters(types, `0x${encoded}`)[0]).toBe(amount)
    }),
  )
})

test('results are decoded', () => {
  fc.assert(
    fc.property(uint, uint, text, (first, second, sentence) => {
      const words = encodeAbiParameters(parseAbiParameters('uint256, uint256'), [first, second])
      expect(wordAt(words.slice(2), 1)).toBe(second)
      const encoded = encodeAbiParameters(parseAbiParameters('string'), [sentence])
      expect(textOf(encoded.slice(2))).toBe(sentence)
      expect(fromHexText(stringToHex(sentence).slice(2))).toBe(sentence)
    }),
  )
})

test('a truncated result is refused instead of decoded as 0', () => {
  expect(() => wordAt('', 0)).toThrow(RangeError)
  expect(() => wordAt('00'.repeat(31), 0)).toThrow(RangeError)
  expect(() => textOf('00'.repeat(10))).toThrow(RangeError)
})
