import { expect, test } from 'vitest'
import { registrationProblem } from './registration.ts'

const complete = { tronAddress: 'T1', email: 'a@b.co', hasAcceptedTerms: true }

test('a complete registration can be sent', () => {
  expect(registrationProblem(complete)).toBeUndefined()
})

test.each([
  [{ tronAddress: undefined, email: '' }, 'Wallet has not been connected!'],
  [{ email: '', hasAcceptedTerms: false }, 'Email must be filled in!'],
  [{ email: 'a@b', hasAcceptedTerms: false }, 'Invalid email format!'],
  [{ email: 'a@b.co, c@d.co' }, 'Enter a single e-mail address.'],
  [{ hasAcceptedTerms: false }, 'You must accept the terms and conditions!'],
])('only the first problem of %j is named', (missing, problem) => {
  expect(registrationProblem({ ...complete, ...missing })).toBe(problem)
})
