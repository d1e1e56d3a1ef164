import { expect, test } from 'vitest'
import { firstStepsDone } from './first-steps.ts'

const claim = { code_claim: 'CL-1' }
const none = { earnings: [], early: [], open: [], paid: [] }
const joined = { ...none, earnings: [{ is_hash_confirmed: 'SUCCESS' as const }] }

test.each([
  ['nobody has joined', none, 0],
  ['the only lock failed', { ...none, earnings: [{ is_hash_confirmed: 'FAILED' as const }] }, 0],
  [
    'a lock is being confirmed',
    { ...none, earnings: [{ is_hash_confirmed: 'WAITING' as const }] },
    1,
  ],
  ['a plan was joined', joined, 1],
  ['a claim waits for its fee', { ...joined, open: [claim] }, 2],
  ['the early half of a claim whose fee lapsed', { ...joined, early: [claim] }, 2],
  ['a fee was paid', { ...joined, early: [claim], paid: [claim] }, 3],
  ['a fee was paid and the next one is open', { ...joined, open: [claim], paid: [claim] }, 3],
])('%s: %#', (_, facts, done) => {
  expect(firstStepsDone(facts)).toBe(done)
})
