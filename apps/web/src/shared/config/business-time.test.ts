import { expect, test } from 'vitest'
import { businessNow } from './business-time.ts'

const browser = new Date('2026-11-21T03:00:00Z')

test('the browser’s clock is used while it is on the service’s day', () => {
  expect(businessNow(browser, '2026-11-21')).toBe(browser)
  expect(businessNow(browser, undefined)).toBe(browser)
  // 17:30 UTC is the next day in UTC+7.
  const evening = new Date('2026-11-20T17:30:00Z')
  expect(businessNow(evening, '2026-11-21')).toBe(evening)
})

test('otherwise the start of the service’s day is used', () => {
  expect(businessNow(browser, '2027-11-21')).toEqual(new Date('2027-11-20T17:00:00Z'))
  expect(businessNow(browser, '2026-11-20')).toEqual(new Date('2026-11-19T17:00:00Z'))
})
