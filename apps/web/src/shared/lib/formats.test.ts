import { expect, onTestFinished, test, vi } from 'vitest'
import { explorerLink } from '../config/explorer-link.ts'
import { exactDate, formatDate, formatTyped, lastDayBefore, shownTime } from './date.ts'
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

test.each(['UTC', 'Africa/Casablanca', 'America/St_Johns', 'Pacific/Kiritimati'])(
  'on a device in %s, an instant is shown in business time, so on the day that filters use',
  (zone) => {
    vi.stubEnv('TZ', zone)
    onTestFinished(() => void vi.unstubAllEnvs())
    expect(formatDate('2026-05-01T17:05:00.000Z')).toMatch(/^2 Mei 2026[, ]+00\.05$/)
    expect(shownTime(new Date('2026-05-01T16:59:58Z'))).toBe('23.59.58 UTC+7')
    expect(exactDate('2026-05-01T17:05:00.000Z')).toBe('2026-05-02 00:05:00 UTC+7')
  },
)

test('a deadline is named by the last day before it, never by the midnight that ends that day', () => {
  // 3 January, 00.00: whoever acts on the 2nd is in time, whoever acts on the 3rd is not.
  expect(lastDayBefore('2027-01-02T17:00:00.000Z')).toBe('2027-01-02')
  expect(lastDayBefore('2027-01-03')).toBe('2027-01-02')
  expect(lastDayBefore('2027-01-03T03:00:00.000Z')).toBe('2027-01-02')
})

test('what an input holds is shown like any other date, once it is whole', () => {
  expect(formatTyped('2026-05-01')).toBe('1 Mei 2026')
  expect(formatTyped('2026-05-01T00:05')).toMatch(/^1 Mei 2026[, ]+00\.05$/)
  expect(formatTyped('')).toBeUndefined()
})

test('a day is shown unchanged, and anything that is not a date is not formatted', () => {
  expect(exactDate('2026-05-01')).toBe('2026-05-01')
  expect(formatDate('soon')).toBeUndefined()
  expect(exactDate('soon')).toBe('soon')
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
