import { expect, test } from 'vitest'
import { explorerLink } from '../config/explorer-link.ts'
import { formatDate } from './date.ts'
import { groupsOf, shorten } from './shorten.ts'

test('an address is shortened to its first and last five characters', () => {
  expect(shorten('TJRabPrwbZy45sbavfcjinPJC18kjpRTv8')).toBe('TJRab...pRTv8')
  expect(shorten('PLAN-360')).toBe('PLAN-360')
})

test('a whole address is grouped without losing a character', () => {
  const address = '0x8Ba1f109551bD432803012645Ac136ddd64DBA72'
  expect(groupsOf(address).slice(0, 3)).toEqual(['0x', '8Ba1', 'f109'])
  expect(groupsOf(address).join('')).toBe(address)
})

test('a business day has no time, and stays the same day everywhere, in Indonesian', () => {
  expect(formatDate('2026-05-01')).toBe('1 Mei 2026')
  expect(formatDate('2026-08-31')).toBe('31 Agu 2026')
})

test('an instant has a short time; an invalid date is not formatted', () => {
  expect(formatDate('2026-05-01T12:00:00.000Z')).toMatch(/^\d{1,2} (Apr|Mei) 2026,? \d{2}\.\d{2}$/)
  expect(formatDate('soon')).toBeUndefined()
})

test('explorer links contain the whole value', () => {
  const tron = 'https://tronscan.org/#'
  const bsc = 'https://bscscan.com/'
  expect(explorerLink(tron, { chain: 'tron', kind: 'address', value: 'T1' })).toBe(
    'https://tronscan.org/#/address/T1',
  )
  expect(explorerLink(tron, { chain: 'tron', kind: 'transaction', value: 'ab' })).toBe(
    'https://tronscan.org/#/transaction/ab',
  )
  expect(explorerLink(bsc, { chain: 'bsc', kind: 'transaction', value: '0xab' })).toBe(
    'https://bscscan.com/tx/0xab',
  )
})
