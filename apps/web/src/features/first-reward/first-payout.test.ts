import { expect, test } from 'vitest'
import { firstPayout } from './first-payout.ts'

const half = (claimed_trx_hash: string, claim_date = '2026-06-06T00:00:00Z') => ({
  claimed_amount: '0.375000',
  claimed_trx_hash,
  claim_date,
})
const rest = (tx_hash_reward: string | null, paid_at = '2026-06-07T00:00:00Z') => ({
  later_amount: '0.375000',
  tx_hash_reward,
  paid_at,
})

test.each([
  ['nothing was sent', [], [], undefined],
  ['the first half is being sent', [half('RTX-1')], [], undefined],
  ['the first half arrived', [half('ab')], [], 'ab'],
  ['the rest is being sent', [half('ab')], [rest('RW-1')], 'ab'],
  ['both arrived', [half('ab')], [rest('cd')], 'ab'],
  ['a FULL claim arrived', [], [rest('cd')], 'cd'],
  ['more than one claim was paid', [half('ab')], [rest('cd'), rest('ef')], undefined],
])('%s', (_, early, paid, hash) => {
  expect(firstPayout(early, paid)?.hash).toBe(hash)
})
