import { expect, test } from 'vitest'
import { levelOf, shownDescription } from './referral-description.ts'

test.each([
  ['direct downline reward', 'fee referral'],
  ['bonus referral level 3', 'fee earning level 3'],
  ['bonus referral X', 'fee earning X'],
  ['bonus referrals', 'bonus referrals'],
  ['a direct downline reward', 'a direct downline reward'],
])('%s is shown as %s', (description, shown) => {
  const words = { feeReferral: 'fee referral', feeEarning: 'fee earning' }
  expect(shownDescription(description, words)).toBe(shown)
})

test('only an indirect reward has a level', () => {
  expect(levelOf('bonus referral level 12')).toBe('12')
  expect(levelOf('bonus referral X')).toBeUndefined()
  expect(levelOf('direct downline reward')).toBeUndefined()
})
