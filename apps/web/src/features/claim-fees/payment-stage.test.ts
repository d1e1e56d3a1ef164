import { expect, test } from 'vitest'
import { paymentStage } from './payment-stage.ts'

const hint = { tx_hash: '0x1', problem_code: null, message: '' }
const open = { is_paid: false, hint: null, tx_hash_reward: null }

test.each([
  ['waiting', open],
  ['seen', { ...open, hint: { ...hint, is_checking: true } }],
  ['waiting', { ...open, hint: { ...hint, is_checking: false } }],
  ['final', { ...open, is_paid: true }],
  ['final', { ...open, is_paid: true, tx_hash_reward: 'RW-1' }],
  ['sent', { ...open, is_paid: true, tx_hash_reward: 'ab' }],
])('%s', (stage, fee) => {
  expect(paymentStage(fee)).toBe(stage)
})
