import { CAPITAL_STATES, FREEZE_REASONS, HASH_STATES } from '@dct/api-contract/earnings'
import { expect, test } from 'vitest'
import { exampleEarning } from './testing/example-earning.ts'
import { type WhatNext, whatNext } from './what-next.ts'

const now = new Date('2026-06-01T00:00:00Z')
const earning = { ...exampleEarning, claimable_from: null }
const ended = { ...earning, end_date: '2026-05-30T00:00:00.000Z' }
const nothingLeft = { total_unclaimed: '0.000000' }

const STATES = [
  ['nextConfirming', { ...earning, is_hash_confirmed: 'WAITING' }],
  ['nextFailed', { ...earning, is_hash_confirmed: 'FAILED' }],
  ['nextClaim', earning],
  ['nextClaimFrom', { ...earning, claimable_from: '2026-06-04' }],
  ['nextPayFee', { ...earning, freeze_reason: 'open_fee', is_frozen: true }],
  ['nextPayFee', { ...ended, freeze_reason: 'open_fee', is_frozen: true }],
  ['nextUnfreeze', { ...earning, freeze_reason: 'unclaimed', is_frozen: true }],
  [
    'nextUnfreezeFrom',
    { ...earning, freeze_reason: 'unclaimed', is_frozen: true, claimable_from: '2026-06-04' },
  ],
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
  expect(whatNext(state, now).name).toBe(name)
})

test('the days are those of the earning, and the next reward is due tomorrow in UTC+7', () => {
  const late = new Date('2026-06-01T18:00:00Z')
  const waiting = { ...earning, claimable_from: '2026-06-04' }
  expect(whatNext(waiting, late)).toEqual({
    name: 'nextClaimFrom',
    day: '2026-06-03',
    from: '2026-06-04',
  })
})

test('every state that the service can report has an answer, and every answer is a sentence', async () => {
  const seen = new Set<WhatNext['name']>()
  for (const is_hash_confirmed of HASH_STATES)
    for (const capital_state of CAPITAL_STATES)
      for (const freeze_reason of [null, ...FREEZE_REASONS])
        for (const claimable_from of [null, '2026-06-04'])
          for (const total_unclaimed of ['0.000000', '0.700000'])
            for (const end_date of [earning.end_date, ended.end_date]) {
              const state = { is_hash_confirmed, capital_state, freeze_reason, claimable_from }
              const facts = { total_unclaimed, end_date, is_frozen: freeze_reason !== null }
              seen.add(whatNext({ ...earning, ...state, ...facts }, now).name)
            }
  expect([...seen].toSorted()).toEqual([...new Set(STATES.map(([name]) => name))].toSorted())
})
