import { expect, test } from 'vitest'
import { readFailure } from './read-failure.ts'
import { WALLET_REPLIES } from './testing/wallet-replies.ts'

test.each(WALLET_REPLIES)('$meaning, as $wallet says it', ({ meaning, thrown }) => {
  expect(readFailure(thrown).meaning).toBe(meaning)
})

test('an error with hostile or endless properties is read without failing', () => {
  const throwing = Object.defineProperty({}, 'message', {
    get() {
      throw new Error('a getter')
    },
  })
  const endless: object = new Proxy({}, { get: () => endless })
  const growing = (): object => new Proxy({}, { get: growing })
  const itself: Record<string, unknown> = { code: 4001 }
  itself.cause = itself
  for (const thrown of [throwing, endless, growing(), () => 1, Symbol('x'), 5, true]) {
    expect(readFailure(thrown)).toMatchObject({ meaning: 'unclear', text: '' })
  }
  expect(readFailure(itself).meaning).toBe('refused')
})

test('the text is the reason and not a code or a name', () => {
  const thrown = Object.assign(new Error('boom'), { code: 'UNKNOWN_ERROR', cause: new Error('x') })
  expect(readFailure(thrown).text).toBe('boom')
})
