import { expect, test } from 'vitest'
import { ManualClock } from '../../../testing/manual-clock.ts'
import { readReferralClaimRequest } from './read-referral-claim-request.ts'

test('a non-direct claim before its opening is told the day that the admins set', async () => {
  const rules = {
    clock: new ManualClock('2027-01-31T16:59:59Z'),
    readNonDirectOpensAt: async () => new Date('2027-01-31T17:00:00Z'),
    ownBscAddresses: [],
    vault: { address: `0x${'cd'.repeat(20)}`, chainId: 97 },
  }
  const request = { type: 'non-direct', usdtAddress: `0x${'1a'.repeat(20)}` }
  await expect(readReferralClaimRequest(rules, request)).rejects.toThrow(
    'Claiming will be available starting February 1, 2027.',
  )
})
