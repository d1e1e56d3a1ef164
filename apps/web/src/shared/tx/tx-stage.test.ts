import { expect, test } from 'vitest'
import { nextTx, secondsLeft, startTx, type TxEvent, type TxState } from './tx-stage.ts'

const STEPS = ['quota', 'approve', 'lock', 'record']
const after = (...events: TxEvent[]): TxState => events.reduce(nextTx, startTx(STEPS, 1000))
const states = (state: TxState) => state.steps.map((step) => step.state)

test('steps are done in turn; one that is not needed is skipped', () => {
  const state = after(
    { type: 'stepStarted', step: 'quota' },
    { type: 'stepSkipped', step: 'approve' },
    { type: 'stepStarted', step: 'lock' },
  )
  expect(states(state)).toEqual(['done', 'skipped', 'active', 'waiting'])
  expect(states(nextTx(state, { type: 'finished' }))).toEqual([
    'done',
    'skipped',
    'done',
    'waiting',
  ])
  expect(states(nextTx(state, { type: 'failed', reason: 'no' }))[2]).toBe('failed')
})

test('a question of the wallet, a transaction, and the next one', () => {
  const sent = after({ type: 'asked' }, { type: 'signed', hash: 'aa' })
  expect(sent.stage).toEqual({ name: 'pending', hash: 'aa' })
  const next = nextTx(sent, { type: 'included' })
  expect(next.stage).toEqual({ name: 'working' })
  expect(next.hash).toBe('aa')
})

test('passing the time writes its line once and ends nothing', () => {
  const late = after(
    { type: 'asked' },
    { type: 'signed', hash: 'aa' },
    { type: 'waitedTooLong' },
    { type: 'waitedTooLong' },
  )
  expect(late.log).toEqual(['Transaction TIMEOUT!'])
  expect(late).toMatchObject({ isLate: true, stage: { name: 'pending' } })
  expect(nextTx(late, { type: 'finished' }).stage).toEqual({ name: 'done', hash: 'aa' })
})

test.each<[string, TxEvent]>([
  ['a hash without a question', { type: 'signed', hash: 'aa' }],
  ['an inclusion of nothing', { type: 'included' }],
])('%s changes nothing', (_case, event) => {
  const start = startTx(STEPS, 1000)
  expect(nextTx(start, event)).toBe(start)
})

test('what is over stays as it is', () => {
  const failed = after({ type: 'failed', reason: 'declined' })
  expect(nextTx(failed, { type: 'finished' })).toBe(failed)
  expect(nextTx(failed, { type: 'waitedTooLong' })).toBe(failed)
  const done = after({ type: 'finished' })
  expect(nextTx(done, { type: 'failed', reason: 'x' })).toBe(done)
})

test('the countdown starts at 180 and ends at 0', () => {
  expect(secondsLeft(180_000, 0)).toBe(180)
  expect(secondsLeft(180_000, 999)).toBe(180)
  expect(secondsLeft(180_000, 1000)).toBe(179)
  expect(secondsLeft(180_000, 180_000)).toBe(0)
  expect(secondsLeft(180_000, 200_000)).toBe(0)
})
