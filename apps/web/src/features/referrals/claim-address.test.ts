import { expect, test } from 'vitest'
import { claimAddressProblem } from './claim-address.ts'

const digits = 'aAbB0123456789cdefabcdef0123456789abcdEF'

test('a BSC address is 0x and exactly 40 hex digits', () => {
  expect(claimAddressProblem(`0x${digits}`)).toBeUndefined()
  const wrong = ['', digits, `0x${digits.slice(1)}`, `0x${digits}0`, `0x${digits.slice(1)}g`]
  for (const address of [...wrong, `0X${digits}`, ` 0x${digits}`, `0x${digits}\n`]) {
    expect(claimAddressProblem(address)).toBe('Invalid BSC USDT address format.')
  }
})
