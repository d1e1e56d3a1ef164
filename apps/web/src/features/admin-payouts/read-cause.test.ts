import { expect, test } from 'vitest'
import { readCause } from './read-cause.ts'

test('a cause is parsed by its kind; an unknown kind is undefined', () => {
  expect(readCause('claim:17:later')).toEqual({ kind: 'claim', id: '17', part: 'later' })
  expect(readCause('claim:17:now')).toEqual({ kind: 'claim', id: '17', part: 'now' })
  expect(readCause('referral-claim:5')).toEqual({ kind: 'referralClaim', id: '5' })
  expect(['claim:17', 'release:3', ''].map(readCause)).toEqual([undefined, undefined, undefined])
})
