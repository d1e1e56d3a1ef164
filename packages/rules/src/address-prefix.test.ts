import fc from 'fast-check'
import { expect, test } from 'vitest'
import { tronAddressRange } from './address-prefix.ts'
import { formatTronAddress } from './addresses.ts'

const addresses = fc.uint8Array({ minLength: 20, maxLength: 20 })
const isWithin = (address: Uint8Array, prefix: string) => {
  const range = tronAddressRange(prefix)
  if (range === undefined) return false
  const { from, to } = range
  return Buffer.compare(from, address) <= 0 && Buffer.compare(address, to) <= 0
}

test('an address is in the range of each of its prefixes', () => {
  fc.assert(
    fc.property(addresses, fc.integer({ min: 1, max: 34 }), (address, length) => {
      expect(isWithin(address, formatTronAddress(address).slice(0, length))).toBe(true)
    }),
    { numRuns: 2_000 },
  )
})

test('an address is in no range of a text that is not its prefix', () => {
  fc.assert(
    fc.property(addresses, addresses, fc.integer({ min: 1, max: 20 }), (one, other, length) => {
      const prefix = formatTronAddress(other).slice(0, length)
      expect(isWithin(one, prefix)).toBe(formatTronAddress(one).startsWith(prefix))
    }),
    { numRuns: 2_000 },
  )
})

test.each(['', 'x', '0x41', 'T0', 'Tl', 'T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwbb', 'Tzzz'])(
  'no address begins with %j',
  (prefix) => {
    expect(tronAddressRange(prefix)).toBeUndefined()
  },
)
