import type { ReferralClaimState } from '@dct/api-contract/referrals'
import { expect, test } from 'vitest'
import { textsOf, toHtml } from '../../shared/testing/to-html.tsx'
import { ClaimActions } from './claim-actions.tsx'

const shown = (state: ReferralClaimState, approve_at: string | null = '2026-06-01T00:00:00.000Z') =>
  textsOf(
    toHtml(
      <ClaimActions
        entry={{
          ...{ id: '7', created_at: '2026-06-01T00:00:00.000Z', tron_address: 'T1', email: null },
          ...{ total_accumulated: '1.000000', last_claim_date: '2026-06-01T00:00:00.000Z' },
          ...{ usdt_address: '0x1', tx_hash_usdt: null, approve_at, approve_by: null, state },
          ...{ bonus_type: 'direct bonus', first_approve_by: null },
          ...{ end_reason: null, queue_place: null },
        }}
        onAct={() => undefined}
      />,
    ),
  )

test('an amount is returned only while its payment cannot be on its way', () => {
  expect(shown('requested', null)).toBe('Approve Decline')
  expect(shown('approved')).toBe('Approved Return amount')
  for (const state of ['sending', 'paid'] as const) expect(shown(state)).toBe('Approved')
})
