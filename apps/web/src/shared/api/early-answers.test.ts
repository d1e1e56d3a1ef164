import { afterEach, expect, test } from 'vitest'
import { forgetEarlyAnswers, takeEarlyAnswer } from './early-answers.ts'

const ADDRESS = '/api/user/claimable-reward'
const ANSWER = new Response('{}')

function givenEarly(early: { token?: string; age?: number; failure?: Error }) {
  globalThis.earlyAnswers = {
    token: early.token ?? null,
    askedAt: performance.now() - (early.age ?? 0),
    answers: { [ADDRESS]: early.failure ? Promise.reject(early.failure) : Promise.resolve(ANSWER) },
  }
}

afterEach(forgetEarlyAnswers)

test('an early response is used once', async () => {
  givenEarly({ token: 'ayu' })
  expect(await takeEarlyAnswer(ADDRESS, 'ayu')).toBe(ANSWER)
  expect(await takeEarlyAnswer(ADDRESS, 'ayu')).toBeUndefined()
})

test.each([
  ['to another session', { token: 'ayu' }, 'budi'],
  ['to a session, for a visitor', { token: 'ayu' }, null],
  ['to a visitor, for a session', {}, 'ayu'],
  ['that is old', { token: 'ayu', age: 10_001 }, 'ayu'],
  ['that failed', { token: 'ayu', failure: new Error('offline') }, 'ayu'],
])('an early response %s is not used', async (_, early, token) => {
  givenEarly(early)
  expect(await takeEarlyAnswer(ADDRESS, token)).toBeUndefined()
})

test('a response read before a change is not used after it', async () => {
  givenEarly({ token: 'ayu' })
  forgetEarlyAnswers()
  expect(await takeEarlyAnswer(ADDRESS, 'ayu')).toBeUndefined()
})

test('there is no response if nothing was requested early', async () => {
  expect(await takeEarlyAnswer(ADDRESS, null)).toBeUndefined()
})
