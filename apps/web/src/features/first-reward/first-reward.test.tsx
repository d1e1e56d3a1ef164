import { QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { earlyClaimsQuery } from '../../shared/api/early-claims.api.ts'
import { PAID_FEES } from '../../shared/api/first-calls.ts'
import { pendingFeeQueries } from '../../shared/api/pending-fees.api.ts'
import { textsOf, toHtml } from '../../shared/testing/to-html.tsx'
import { FirstReward } from './first-reward.tsx'

const HASH = 'ab'.repeat(32)

function show(claimed_trx_hash: string): string {
  const known = new QueryClient()
  const half = { claimed_amount: '0.375000', claimed_trx_hash, claim_date: '2026-06-06' }
  known.setQueryData(earlyClaimsQuery.queryKey, { claimed_rewards: [half] } as never)
  known.setQueryData(pendingFeeQueries.list(PAID_FEES).queryKey, { pending_fees: [] } as never)
  return toHtml(<FirstReward>Remind me</FirstReward>, known)
}

test('the first reward in the wallet is shown with a tick, its amount and its transaction, and reminders are offered', () => {
  const html = show(HASH)
  expect(html).toContain('class="drawn-tick"')
  expect(textsOf(html)).toContain('0.375000 DCT arrived in your wallet.')
  expect(html).toContain(HASH)
  expect(html).toContain('Remind me')
})

test('before it nothing is offered', () => {
  expect(show('RTX-1')).toBe('')
})
