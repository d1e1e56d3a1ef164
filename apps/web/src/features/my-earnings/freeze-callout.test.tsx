import { expect, test } from 'vitest'
import type { Earning } from '../../shared/api/earnings.api.ts'
import { exampleEarning } from '../../shared/api/testing/example-earning.ts'
import { textsOf, toHtml } from '../../shared/testing/to-html.tsx'
import { FreezeCallout } from './freeze-callout.tsx'

const calloutOf = (change: Partial<Earning>) =>
  textsOf(
    toHtml(<FreezeCallout earning={{ ...exampleEarning, freeze_warning: null, ...change }} />),
  )
const frozen = { is_frozen: true, freezes_on: null, total_lapsed: '1.230000' } as const

test('before the first loss the day from which rewards are lost is named', () => {
  const callout = calloutOf({
    ...{ ...frozen, freeze_reason: 'unclaimed', reward_distribution_count: 33 },
  })
  expect(callout).toContain('From 16 Jun 2026, the rewards of cycles without a claim are lost.')
})

test('while rewards are being lost, it says since when, how much, and what stops it', () => {
  const losing = { ...frozen, reward_distribution_count: 36 } as const
  const unclaimed = calloutOf({ ...losing, freeze_reason: 'unclaimed' })
  expect(unclaimed).toContain(
    'Rewards have been lost since 13 Jun 2026, 1.230000 DCT in total. A claim stops this.',
  )
  expect(unclaimed).not.toContain('From 16 Jun 2026')
  expect(calloutOf({ ...losing, freeze_reason: 'open_fee' })).toContain(
    'Rewards have been lost since 13 Jun 2026, 1.230000 DCT in total. Pay the fee and claim again to stop this.',
  )
})

test('what was never claimed names the last day on which it could be, as a day', () => {
  const over = { expired_amount: '0.500000', claim_until: '2027-10-23T03:00:00.000Z' }
  expect(calloutOf({ ...over, lapses_from: null })).toBe(
    '0.500000 DCT were not claimed by 22 Okt 2027 and are lost.',
  )
})
