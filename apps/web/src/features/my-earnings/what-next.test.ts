import { expect, test } from 'vitest'
import { exampleEarning } from '../../shared/api/testing/example-earning.ts'
import { whatNext } from './what-next.ts'

const now = new Date('2026-06-01T00:00:00Z')
const earning = { ...exampleEarning, claimable_from: null }
const ended = { ...earning, end_date: '2026-05-30T00:00:00.000Z' }
const nothingLeft = { total_unclaimed: '0.000000' }

const STATES = [
  ['nextConfirming', { ...earning, is_hash_confirmed: 'WAITING' }],
  ['nextFailed', { ...earning, is_hash_confirmed: 'FAILED' }],
  [undefined, earning],
  [undefined, { ...earning, claimable_from: '2026-06-04' }],
  [undefined, { ...earning, freeze_reason: 'open_fee', is_frozen: true }],
  [undefined, { ...ended, freeze_reason: 'open_fee', is_frozen: true }],
  [undefined, { ...earning, freeze_reason: 'unclaimed', is_frozen: true }],
  ['nextClaimRest', { ...ended, capital_state: 'due' }],
  ['nextClaimRest', { ...ended, freeze_reason: 'unclaimed', capital_state: 'released' }],
  ['nextReturn', { ...ended, ...nothingLeft, capital_state: 'due' }],
  ['nextReturn', { ...earning, ...nothingLeft, distributed_cycles: 360 }],
  ['nextReturning', { ...ended, ...nothingLeft, capital_state: 'releasing' }],
  ['nextComplete', { ...ended, ...nothingLeft, capital_state: 'released' }],
  [
    'nextComplete',
    { ...ended, capital_state: 'released', claim_until: '2026-05-31T00:00:00.000Z' },
  ],
] as const

test.each(STATES)('%s', (name, state) => {
  expect(whatNext(state, now)?.name).toBe(name)
})
