import { expect, test } from 'vitest'
import { FIRST_STEP, paymentStage, STEPS_DONE } from './payment-stage.ts'

const hint = { tx_hash: '0x1', problem_code: null, message: '' }
const open = { is_paid: false, hint: null, tx_hash_reward: null }

test.each([
  ['waiting', 0, open],
  ['seen', 1, { ...open, hint: { ...hint, is_checking: true } }],
  ['waiting', 0, { ...open, hint: { ...hint, is_checking: false } }],
  // Only a final payment pays a fee, so what is under way then is the reward.
  ['final', 3, { ...open, is_paid: true }],
  ['final', 3, { ...open, is_paid: true, tx_hash_reward: 'RW-1' }],
  ['sent', 4, { ...open, is_paid: true, tx_hash_reward: 'ab' }],
])('%s: %d steps are done', (stage, done, fee) => {
  expect(paymentStage(fee)).toBe(stage)
  expect(STEPS_DONE[paymentStage(fee)]).toBe(done)
})

test('a hash that was only handed in is not called paid', () => {
  const handedIn = { ...open, hint: { ...hint, is_checking: true } }
  expect(FIRST_STEP[paymentStage(handedIn)]).toBe('trackSubmitted')
  expect(FIRST_STEP[paymentStage({ ...open, is_paid: true })]).toBe('trackPaid')
})
