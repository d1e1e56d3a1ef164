import { QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { claimableQuery } from '../../shared/api/claimable.api.ts'
import { OPEN_FEES } from '../../shared/api/first-calls.ts'
import { pendingFeeQueries } from '../../shared/api/pending-fees.api.ts'
import { countWaiting } from './icon-badge.ts'

test('possible claims and due fees are counted as waiting for the holder', () => {
  const client = new QueryClient()
  const rewards = [{ can_claim: true }, { can_claim: false }, { can_claim: true }]
  client.setQueryData(claimableQuery.queryKey, { claimable_rewards: rewards } as never)
  expect(countWaiting(client)).toBeUndefined()
  const open = { pending_fees: [{}], total: 12 } as never
  client.setQueryData(pendingFeeQueries.list(OPEN_FEES).queryKey, open)
  expect(countWaiting(client)).toBe(14)
})
