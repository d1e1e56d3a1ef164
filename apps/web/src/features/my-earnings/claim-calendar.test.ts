import { expect, test } from 'vitest'
import { exampleEarning } from '../../shared/api/testing/example-earning.ts'
import { claimCalendar } from './claim-calendar.ts'

const at = { now: new Date('2026-06-01T00:00:00Z'), grace: 3 }
const text = ((key: string) => key) as Parameters<typeof claimCalendar>[2]

test('there are entries for the last day to claim, the last day before cycles are lost, the return of the capital, and the end of claims', () => {
  const entries = claimCalendar(exampleEarning, at, text)
  expect(entries.map(({ id, title, to }) => [id, title, to.toISOString()])).toEqual([
    ['claim-7', 'calendarClaimTitle', '2026-06-11T17:00:00.000Z'],
    ['loss-7', 'calendarLossTitle', '2026-06-15T17:00:00.000Z'],
    ['capital-7', 'calendarCapitalTitle', '2027-04-26T03:00:00.000Z'],
    ['end-7', 'calendarEndTitle', '2027-10-23T03:00:00.000Z'],
  ])
  expect(entries[0]?.from).toEqual(new Date('2026-06-10T17:00:00Z'))
})

test('after a claim the same entry moves to the new deadline', () => {
  const claimed = { ...exampleEarning, freezes_on: '2026-07-01', lapses_from: '2026-07-05' }
  const [entry] = claimCalendar(claimed, at, text)
  expect([entry?.id, entry?.to]).toEqual(['claim-7', new Date('2026-06-30T17:00:00Z')])
})

test('an earning that freezes before a claim is possible has entries for the first day to claim and the last day of the grace', () => {
  const small = { ...exampleEarning, claimable_from: '2026-06-12' }
  expect(claimCalendar(small, at, text).map(({ id, from, to }) => [id, from, to])).toEqual([
    ['opens-7', new Date('2026-06-11T17:00:00Z'), new Date('2026-06-12T17:00:00Z')],
    ['claim-7', new Date('2026-06-14T17:00:00Z'), new Date('2026-06-15T17:00:00Z')],
    ['capital-7', expect.any(Date), expect.any(Date)],
    ['end-7', expect.any(Date), expect.any(Date)],
  ])
})

test('with an open fee the entry is about the payment', () => {
  const frozen = { ...exampleEarning, is_frozen: true, freeze_reason: 'open_fee' } as const
  expect(claimCalendar(frozen, at, text)[0]).toMatchObject({
    id: 'claim-7',
    title: 'calendarPayTitle',
    text: 'calendarPay',
    to: new Date('2026-06-15T17:00:00Z'),
  })
})
