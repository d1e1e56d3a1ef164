import { expect, test } from 'vitest'
import { parseTronAddress } from './addresses.ts'
import { readAddressSearch, readHexSearch } from './binary-search-text.ts'

const ADDRESS = 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8'
const BYTES = Buffer.from(parseTronAddress(ADDRESS) ?? [])
const HASH = `ab12${'0'.repeat(55)}fe34d`

function isIn(range: { from: Uint8Array; to: Uint8Array } | undefined, value: Buffer): boolean {
  return (
    range !== undefined &&
    Buffer.compare(value, Buffer.from(range.from)) >= 0 &&
    Buffer.compare(value, Buffer.from(range.to)) <= 0
  )
}

test('a prefix of an address is a range, and any text of three characters may be a suffix', () => {
  const search = readAddressSearch('TJRab')
  expect(isIn(search?.range, BYTES)).toBe(true)
  expect(search).toMatchObject({ isBoth: false, reversedEnd: 'baRJT' })
  expect(readAddressSearch('pRTv8')).toEqual({ isBoth: false, reversedEnd: '8vTRp' })
  expect(readAddressSearch('v8')).toBeUndefined()
})

test.each(['TJRab...pRTv8', 'TJRab…pRTv8'])(
  '%s, the shortened form on screens, matches both ends',
  (text) => {
    const search = readAddressSearch(text)
    expect(search).toMatchObject({ isBoth: true, reversedEnd: '8vTRp' })
    expect(isIn(search?.range, BYTES)).toBe(true)
  },
)

test('characters outside of base58 match no address', () => {
  expect(readAddressSearch('TREND-0')).toBeUndefined()
  expect(readAddressSearch('T0O')).toBeUndefined()
})

test.each(['ab12', 'AB12', '0xAb12', 'ab1'])('%s is the beginning of a hash', (text) => {
  expect(isIn(readHexSearch(text, 32)?.range, Buffer.from(HASH, 'hex'))).toBe(true)
})

test('the end of a hash and its shortened form, in any case', () => {
  expect(readHexSearch('E34D', 32)).toMatchObject({ isBoth: false, reversedEnd: 'd43e' })
  expect(readHexSearch('0xAB1...fE34D', 32)).toMatchObject({ isBoth: true, reversedEnd: 'd43ef' })
  expect(readHexSearch('PLAN', 32)).toBeUndefined()
  expect(readHexSearch(`${HASH}0`, 32)).toBeUndefined()
})

test('a whole hash is looked for as it is, not as the end of another', () => {
  for (const text of [HASH, HASH.toUpperCase(), `0x${HASH}`]) {
    const search = readHexSearch(text, 32)
    expect(Object.keys(search ?? {})).toEqual(['isBoth', 'range'])
    expect(search?.range?.from).toEqual(search?.range?.to)
  }
})
