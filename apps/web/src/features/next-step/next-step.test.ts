import type { ClaimableReward, PendingClaimFee } from '@dct/api-contract/claims'
import { expect, test } from 'vitest'
import type { Earning } from '../../shared/api/earnings.api.ts'
import { nextStep } from './next-step.ts'

const now = new Date('2026-06-01T00:00:00Z')
const earning: Earning = {
  earning_plan_code: 'PLAN-360',
  start_date: '2026-01-01T00:00:00.000Z',
  end_date: '2026-12-27T00:00:00.000Z',
  tron_address: 'T1',
  total_locked_amount: '10.000000',
  total_reward: '7.200000',
  total_shared_reward: '1.000000',
  daily_reward: '0.020000',
  total_unclaimed: '0.600000',
  reward_distribution_count: 19,
  is_frozen: false,
  is_hash_confirmed: 'SUCCESS',
  waited_seconds: null,
  id: '1',
  trx_hash: 'aa',
  failure_reason: null,
  duration_days: 360,
  distributed_cycles: 50,
  total_lapsed: '0.000000',
  freeze_limit: 30,
  freeze_reason: null,
  freeze_warning: null,
  freezes_on: null,
  claimable_from: null,
  lapses_from: null,
  claim_until: '2027-06-25T00:00:00.000Z',
  expired_amount: '0.000000',
  capital_state: 'locked',
  release_trx_hash: null,
}
const parts = {
  fee_percentage: '40',
  unpaid_fee: '0.240000',
  price_usdt: '1.00000000',
  fee_usdt: '0.240000',
  energy_fee_usdt: '0.100000',
}
const fee: PendingClaimFee = {
  earning_plan_code: 'PLAN-360',
  claim_type: 'FULL',
  code_claim: 'C-2',
  pending_token_amount: '0.600000',
  claimed_amount: '0.600000',
  now_amount: '0.000000',
  later_amount: '0.600000',
  unpaid_fee_usdt: '0.341234',
  exact_fee_usdt: '0.341234',
  ...parts,
  is_paid: false,
  paid_at: null,
  deadline: null,
  tx_hash_usdt: null,
  tx_hash_reward: null,
  claimed_trx_hash: null,
  status: 'Waiting',
  claim_date: '2026-05-31T00:00:00.000Z',
  first_cycle: 1,
  last_cycle: 30,
  fee_until: '2027-07-25T00:00:00.000Z',
  cancellable_from: '2026-06-01T00:00:00.000Z',
  receiver_address: '0x0',
  network: 'BSC (BEP20)',
  hint: null,
  mismatch: null,
}
const reward: ClaimableReward = {
  earning_plan_code: 'PLAN-360',
  total_claimable: '0.600000',
  estimated_fee_usdt: '0.350000',
  ...parts,
  is_fee_known: true,
  has_open_fee: false,
  parts: {
    FULL: { now_amount: '0.000000', later_amount: '0.600000' },
    HALF: { now_amount: '0.300000', later_amount: '0.300000' },
  },
  value_usdt: '0.600000',
  net_usdt: '0.250000',
  costs_more_than_it_brings: false,
  can_claim: true,
  refusal_code: null,
  refusal_text: null,
  first_cycle: 1,
  last_cycle: 30,
  is_after_end: false,
  end_date: '2026-12-27T00:00:00.000Z',
  claim_until: '2027-06-25T00:00:00.000Z',
  fee_until: '2027-07-25T00:00:00.000Z',
  claimable_from: null,
  unpaid_lapses_from: null,
}

test('without a plan the step is to join one; a failed lock does not count', () => {
  expect(nextStep({ earnings: [], claimable: [], fees: [] }, now)).toEqual({ name: 'join' })
  const failed = { ...earning, is_hash_confirmed: 'FAILED' } as const
  expect(nextStep({ earnings: [failed], claimable: [], fees: [] }, now).name).toBe('join')
})

test('a fee for which a different amount arrived does not ask for a second payment', () => {
  const amounts = { received_usdt: '0.4', expected_usdt: '0.35' }
  const mismatch = { tx_hash: '0x1', ...amounts, message: '', earlier: [] }
  const holdings = { earnings: [earning], claimable: [], fees: [{ ...fee, mismatch }] }
  expect(nextStep(holdings, now).name).not.toBe('payFee')
  expect(nextStep({ ...holdings, fees: [{ ...fee, mismatch }, fee] }, now)).toMatchObject({
    name: 'payFee',
    openFees: 1,
  })
})

test('before the first warning, the step is to claim what can be claimed, with the deadline; if there is nothing, to wait', () => {
  const earnings = [{ ...earning, freezes_on: '2026-06-12' }]
  expect(nextStep({ earnings, claimable: [reward], fees: [] }, now)).toEqual({
    name: 'claimReady',
    planCode: 'PLAN-360',
    amount: '0.600000',
    before: '2026-06-12',
  })
  const claimable = [{ ...reward, can_claim: false }]
  expect(nextStep({ earnings, claimable, fees: [] }, now)).toEqual({ name: 'wait' })
})

test.each([
  [20, false, 'claimSoon', 10],
  [29, false, 'claimSoon', 1],
  [30, true, 'claimFrozen', 0],
  [33, true, 'claimFrozen', 0],
] as const)('at %d cycles (frozen: %s): %s', (count, is_frozen, name, cyclesLeft) => {
  const earnings = [
    { ...earning, reward_distribution_count: count, is_frozen, freeze_warning: count },
  ]
  const step = nextStep({ earnings, claimable: [reward], fees: [] }, now)
  expect(step).toEqual({ name, planCode: 'PLAN-360', cyclesLeft })
})

test('a claim that cannot be made is not suggested', () => {
  const earnings = [{ ...earning, reward_distribution_count: 25, freeze_warning: 25 }]
  const claimable = [{ ...reward, can_claim: false }]
  expect(nextStep({ earnings, claimable, fees: [] }, now)).toEqual({ name: 'wait' })
})

test('with a warning but no possible claim yet, the step names the first day to claim', () => {
  const days = { freezes_on: '2026-06-12', lapses_from: '2026-06-16' }
  const stepFor = (claimable_from: string) => {
    const waiting = { ...earning, ...days, freeze_warning: 25, claimable_from }
    return nextStep({ earnings: [waiting], claimable: [], fees: [] }, now)
  }
  const step = { name: 'claimFrom', planCode: 'PLAN-360' }
  expect(stepFor('2026-06-11')).toEqual({ ...step, from: '2026-06-11', until: '2026-06-12' })
  expect(stepFor('2026-06-12')).toEqual({ ...step, from: '2026-06-12', until: '2026-06-16' })
})

test('an open fee comes first, the oldest of several', () => {
  const older = { ...fee, code_claim: 'C-1', claim_date: '2026-05-30T00:00:00.000Z' }
  const paid = { ...fee, code_claim: 'C-0', is_paid: true, claim_date: '2026-05-01T00:00:00.000Z' }
  const earnings = [{ ...earning, is_frozen: true, reward_distribution_count: 30 }]
  const step = nextStep({ earnings, claimable: [reward], fees: [fee, older, paid] }, now)
  expect(step).toEqual({ name: 'payFee', fee: older, openFees: 2 })
})
