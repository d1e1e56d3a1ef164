import { expect, test } from 'vitest'
import { usualWaitOf } from './usual-wait.ts'

const wait = { approval_seconds: 3_600, payment_seconds: 600, claims: 5 }
const claim = {
  state: 'requested',
  created_at: '2026-03-10T10:00:00.000Z',
  approve_at: null,
} as const
const at = (time: string) => new Date(`2026-03-10T${time}.000Z`)

test('a waiting claim shows how long its step currently takes', () => {
  expect(usualWaitOf(claim, wait, at('10:30:00'))).toMatchObject({
    ...{ text: 'approvalTakes', seconds: 3_600 },
  })
  const approved = { ...claim, state: 'approved', approve_at: '2026-03-10T12:00:00.000Z' } as const
  expect(usualWaitOf(approved, wait, at('12:05:00'))).toMatchObject({
    ...{ text: 'paymentTakes', seconds: 600 },
  })
  expect(usualWaitOf({ ...approved, state: 'paid' }, wait, at('12:05:00'))).toBeUndefined()
})

test('nothing is foretold from fewer than five claims, nor to a claim that has waited longer', () => {
  expect(usualWaitOf(claim, { ...wait, claims: 4 }, at('10:30:00'))).toBeUndefined()
  expect(usualWaitOf(claim, null, at('10:30:00'))).toBeUndefined()
  expect(usualWaitOf(claim, wait, at('11:00:01'))).toBeUndefined()
})
