import { expect, test } from 'vitest'
import { paymentHashProblem, readPaymentHash } from './payment-hash.ts'

const invalid = 'Invalid hash format. Please enter a valid BSC transaction hash.'

test.each([
  ['', 'Please enter the payment hash.'],
  [`0x${'a'.repeat(63)}`, invalid],
  [`0x${'a'.repeat(65)}`, invalid],
  ['a'.repeat(64), invalid],
  [`0X${'a'.repeat(64)}`, invalid],
  [`0x${'g'.repeat(64)}`, invalid],
  [`0x${'a'.repeat(64)}\n`, invalid],
  [`0x${'aF0'.repeat(21)}9`, undefined],
])('the problem of %j: %s', (hash, problem) => {
  expect(paymentHashProblem(hash)).toBe(problem)
})

const digits = 'ab12'.repeat(16)

test.each([
  [digits, `0x${digits}`],
  [` 0X${digits.toUpperCase()} `, `0x${digits}`],
  [`https://bscscan.com/tx/0x${digits}`, `0x${digits}`],
  [`${digits}0`, `${digits}0`],
  [`0x${digits} 0x${'cd'.repeat(32)}`, `0x${digits} 0x${'cd'.repeat(32)}`],
  ['  ', ''],
])('the payment hash in %j is %j', (typed, hash) => {
  expect(readPaymentHash(typed)).toBe(hash)
})
