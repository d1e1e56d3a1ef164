import { SUCCESSES, successOf } from '@dct/api-contract/successes'
import { afterEach, expect, test } from 'vitest'
import { serviceSentence } from './service-sentence.ts'
import { i18n } from './texts.ts'

const SAVED = SUCCESSES.REFERRAL_CLAIM_SAVED
afterEach(() => i18n.activate('en'))

test('messages of the service are translated by their sentence, with their values; other text is unchanged', () => {
  i18n.load('xx', {
    [`successes.${SUCCESSES.PRICE_SET}`]: 'PRIX',
    [`successes.${SAVED}`]: ['GARDE ', ['amount'], ' USDT'],
  })
  i18n.activate('xx')
  expect(serviceSentence('successes', SUCCESSES.PRICE_SET)).toBe('PRIX')
  const saved = successOf('REFERRAL_CLAIM_SAVED', { amount: '1.400000' })
  expect(saved).toBe(
    'Your claim of 1.400000 USDT is saved. It is sent once an admin has approved it.',
  )
  expect(serviceSentence('successes', saved)).toBe('GARDE 1.400000 USDT')
  expect(serviceSentence('successes', 'Successful registration')).toBe('Successful registration')
})

test('in English a message of the service is unchanged', () => {
  expect(serviceSentence('successes', SUCCESSES.PRICE_SET)).toBe('The price is set.')
})
