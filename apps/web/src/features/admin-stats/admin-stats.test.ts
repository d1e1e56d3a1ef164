import { expect, test } from 'vitest'
import { say } from '../../shared/i18n/texts.ts'
import { statsTexts } from './admin-stats.texts.ts'

test('one of each is not several', () => {
  const totals = { users: 1, plans: 1, transactions: 1, earnings: '0.1', claims: '0.1' }
  expect(say(`${statsTexts.scope}.summary`, totals)).toMatch(
    /^1 user, 1 earning plan and 1 transaction so far;/,
  )
})
