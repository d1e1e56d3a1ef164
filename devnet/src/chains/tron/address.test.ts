import fc from 'fast-check'
import { TronWeb } from 'tronweb'
import { expect, test } from 'vitest'
import { fromBase58, fromEvm, isHexAddress, toBase58, toEvm } from './address.ts'

const evmAddress = fc.uint8Array({ minLength: 20, maxLength: 20 }).map((bytes) => {
  return `0x${Buffer.from(bytes).toString('hex')}`
})

test('an address has the same notations as in TronWeb', () => {
  fc.assert(
    fc.property(evmAddress, (evm) => {
      const address = fromEvm(evm)
      expect(toBase58(address)).toBe(TronWeb.address.fromHex(address))
      expect(fromBase58(toBase58(address))).toBe(address)
      expect(toEvm(address)).toBe(evm)
    }),
    { numRuns: 50 },
  )
})

test('changing one letter of an address makes it invalid', () => {
  const address = 'TLsV52sRDL79HXGGm9yzwKibb6BeruhUzy'
  expect(isHexAddress(fromBase58(address))).toBe(true)
  expect(fromBase58(address.replace('52s', '52t'))).toBeUndefined()
  expect(fromBase58(address.slice(1))).toBeUndefined()
  expect(fromBase58(address.replace('T', '0'))).toBeUndefined()
})
