import { expect, test } from 'vitest'
import { blockingReason, claimProblem } from './claim-problem.ts'

const reward = {
  total_claimable: '0.600000',
  is_after_end: false,
  can_claim: true,
  refusal_code: null,
  refusal_text: null,
}
const below = 'Minimum claim amount is 0.6 DCT!'
const feeOpen = {
  can_claim: false,
  refusal_code: 'CLAIM_FEE_OPEN',
  refusal_text: 'Pay the fee first.',
}

test('a claim needs a plan and at least 0.6 DCT', () => {
  expect(claimProblem(undefined)).toBe('Select Earning Plan first!')
  expect(claimProblem({ ...reward, total_claimable: '0.599999' })).toBe(below)
  expect(claimProblem(reward)).toBeUndefined()
})

test('after the last cycle any amount can be claimed', () => {
  const after = { ...reward, is_after_end: true, total_claimable: '0.000001' }
  expect(claimProblem(after)).toBeUndefined()
})

test("the service's reason is shown, and blocks unless it resolves itself", () => {
  expect(claimProblem({ ...reward, ...feeOpen })).toBe('Pay the fee first.')
  expect(blockingReason(feeOpen)).toBe('Pay the fee first.')
  const tooLittle = { can_claim: false, refusal_code: 'BELOW_MINIMUM_CLAIM', refusal_text: below }
  expect(blockingReason(tooLittle)).toBeNull()
  expect(blockingReason(reward)).toBeNull()
})
