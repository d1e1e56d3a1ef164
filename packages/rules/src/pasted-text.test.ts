import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findEvmAddress, findTransactionHash } from './pasted-text.ts'

const ADDRESS = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
const OTHER = `0x${'12'.repeat(20)}`
const HASH = 'ab12'.repeat(16)

const around = (whole: string) => [
  whole,
  ` ${whole} `,
  `${whole}\n`,
  `${whole}\u200b`,
  `\u202a${whole}\u202c`,
  `${whole.slice(0, 20)}\u200b${whole.slice(20)}`,
  `"${whole}"`,
  `(${whole}).`,
  `<${whole}>`,
  `\`${whole}\``,
  `${whole},`,
  whole.replace('0x', '0X'),
  (whole.match(/.{1,6}/g) ?? []).join(' '),
  (whole.match(/.{1,4}/g) ?? []).join('\u00a0'),
  `${whole} ${whole}`,
]

test.each([
  ...around(ADDRESS),
  `https://bscscan.com/address/${ADDRESS}`,
  `https://bscscan.com/address/${ADDRESS}#tokentxns`,
  `bscscan.com/address/${ADDRESS}?a=1`,
  `ethereum:${ADDRESS}`,
  `ethereum:pay-${ADDRESS}@56`,
  `bnb:${ADDRESS}`,
  `eip155:56:${ADDRESS}`,
  `BEP20: ${ADDRESS}`,
  `My address is ${ADDRESS}, thanks`,
])('the address is found in %j', (text) => {
  expect(findEvmAddress(text)).toBe(ADDRESS)
})

test.each([
  ...around(`0x${HASH}`),
  HASH,
  ` ${HASH}\n`,
  `0x${HASH.toUpperCase()}`,
  `https://bscscan.com/tx/0x${HASH}`,
  `https://tronscan.org/#/transaction/${HASH}`,
  `https://tronscan.org/#/transaction/${HASH}?lang=en`,
  `tron:${HASH}`,
  `txid=${HASH}`,
  `from ${ADDRESS}: 0x${HASH}`,
])('the transaction hash is found in %j', (text) => {
  expect(findTransactionHash(text)).toBe(HASH)
})

test.each([
  '',
  '0x',
  ADDRESS.slice(0, -1),
  ADDRESS.slice(2),
  `${ADDRESS}0`,
  `${ADDRESS}g`,
  `z${ADDRESS.slice(2)}`,
  `0x${HASH}`,
  'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t',
  `${ADDRESS} ${OTHER}`,
  `ethereum:${ADDRESS}/transfer?address=${OTHER}&uint256=1`,
  `${ADDRESS}${ADDRESS}`,
  `0x${HASH}`.repeat(100),
])('no address is guessed from %j', (text) => {
  expect(findEvmAddress(text)).toBeUndefined()
})

test.each(['', ADDRESS, HASH.slice(1), `${HASH}0`, `0x${HASH} 0x${'cd'.repeat(32)}`])(
  'no hash is guessed from %j',
  (text) => {
    expect(findTransactionHash(text)).toBeUndefined()
  },
)

test('whatever is found has the form of one', () => {
  const text = fc.oneof(fc.string({ maxLength: 200 }), fc.constantFrom(ADDRESS, `0x${HASH}`))
  fc.assert(
    fc.property(fc.array(text, { maxLength: 4 }), (parts) => {
      expect(findEvmAddress(parts.join('')) ?? ADDRESS).toMatch(/^0x[\da-fA-F]{40}$/)
      expect(findTransactionHash(parts.join(' ')) ?? HASH).toMatch(/^[\da-f]{64}$/)
    }),
  )
})
