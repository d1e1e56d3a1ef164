import { MOST_KNOWN_CODES } from '@dct/rules/constants'
import { expect, test } from 'vitest'
import { deviceMemory } from '../../shared/storage/memory.ts'
import { knownCodes, rememberCode } from './known-codes.ts'

const codeOf = (n: number) => `CL-${n.toString(16).toUpperCase().padStart(16, '0')}`

test('the newest codes of this device are remembered once each, and what is no code is left out', () => {
  deviceMemory.setItem('claimCodes', JSON.stringify([codeOf(1), 'CL-1', 7, codeOf(2)]))
  rememberCode(codeOf(2))
  expect(knownCodes()).toEqual([codeOf(2), codeOf(1)])
  for (let n = 3; n < 100; n += 1) rememberCode(codeOf(n))
  expect(knownCodes()).toHaveLength(MOST_KNOWN_CODES)
  expect(knownCodes()[0]).toBe(codeOf(99))
  deviceMemory.setItem('claimCodes', 'no list')
  expect(knownCodes()).toEqual([])
})
