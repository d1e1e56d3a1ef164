import { ADMIN_ACTIONS } from '@dct/api-contract/codes'
import { afterEach, expect, test } from 'vitest'
import { codeWords } from './code-words.ts'
import { i18n } from './texts.ts'

afterEach(() => i18n.activate('en'))

test('a code is shown in words of the current language; an unknown code has none', () => {
  expect(codeWords(ADMIN_ACTIONS, 'price.set')).toBe('Price set')
  i18n.load('xx', { 'adminActions.price.set': 'PRIX' })
  i18n.activate('xx')
  expect(codeWords(ADMIN_ACTIONS, 'price.set')).toBe('PRIX')
  expect(codeWords(ADMIN_ACTIONS, 'plan.create')).toBe('Plan created')
  expect(codeWords(ADMIN_ACTIONS, 'price.paint')).toBeUndefined()
  expect(codeWords(ADMIN_ACTIONS, 'toString')).toBeUndefined()
})
