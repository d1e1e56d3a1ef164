import { expect, onTestFinished, test } from 'vitest'
import { i18n } from '../i18n/texts.ts'
import {
  isCancellable,
  secondsLeft,
  startTx,
  type TxEvent,
  type TxState,
  txReducer,
} from './tx-stage.ts'

const STEPS = ['quota', 'approve', 'lock', 'record']
const after = (...events: TxEvent[]): TxState => events.reduce(txReducer, startTx(STEPS, 1000))
const states = (state: TxState) => state.steps.map((step) => step.state)

test('steps are done in order; an unneeded one is skipped', () => {
  const state = after(
    { type: 'stepStarted', step: 'quota' },
    { type: 'stepSkipped', step: 'approve' },
    { type: 'stepStarted', step: 'lock' },
  )
  expect(states(state)).toEqual(['done', 'skipped', 'active', 'waiting'])
  expect(states(txReducer(state, { type: 'finished' }))).toEqual([
    'done',
    'skipped',
    'done',
    'waiting',
  ])
  expect(states(txReducer(state, { type: 'failed', reason: 'no' }))[2]).toBe('failed')
})

test('a step that was not foreseen is added before those to come', () => {
  const state = after(
    { type: 'stepStarted', step: 'quota' },
    { type: 'stepStarted', step: 'reset', label: () => 'Set to zero' },
  )
  expect(state.steps.map(({ id }) => id)).toEqual(['quota', 'reset', 'approve', 'lock', 'record'])
  expect(states(state)).toEqual(['done', 'active', 'waiting', 'waiting', 'waiting'])
  expect(state.steps[1]?.label?.()).toBe('Set to zero')
  const next = txReducer(state, { type: 'stepStarted', step: 'approve' })
  expect(states(next)).toEqual(['done', 'done', 'active', 'waiting', 'waiting'])
})

test('a wallet prompt, a transaction, and the next one', () => {
  const sent = after({ type: 'asked' }, { type: 'signed', hash: 'aa' })
  expect(sent.stage).toEqual({ name: 'pending', hash: 'aa' })
  const next = txReducer(sent, { type: 'included' })
  expect(next.stage).toEqual({ name: 'working' })
  expect(next.hash).toBe('aa')
})

test('what was said before the language changed is shown in the new one', () => {
  const late = after({ type: 'waitedTooLong' })
  i18n.load('id', { 'txWording.timeoutLine': 'Waktu habis!' })
  i18n.activate('id')
  onTestFinished(() => i18n.activate('en'))
  expect(late.log.map((line) => line())).toEqual(['Waktu habis!'])
})

test('reaching the end of the countdown adds one line and ends nothing', () => {
  const late = after(
    { type: 'asked' },
    { type: 'signed', hash: 'aa' },
    { type: 'waitedTooLong' },
    { type: 'waitedTooLong' },
  )
  expect(late.log.map((line) => line())).toEqual(['Transaction TIMEOUT!'])
  expect(late).toMatchObject({ isLate: true, stage: { name: 'pending' } })
  expect(txReducer(late, { type: 'finished' }).stage).toEqual({ name: 'done', hash: 'aa' })
})

test.each<[string, TxEvent]>([
  ['a hash without a question', { type: 'signed', hash: 'aa' }],
  ['an inclusion without a transaction', { type: 'included' }],
])('%s changes nothing', (_case, event) => {
  const start = startTx(STEPS, 1000)
  expect(txReducer(start, event)).toBe(start)
})

test('an action can be cancelled until the wallet has signed, and again when the wallet is asked once more', () => {
  const asked = after({ type: 'asked' })
  const signed = txReducer(asked, { type: 'signed', hash: 'aa' })
  const included = txReducer(signed, { type: 'included' })
  const again = txReducer(included, { type: 'asked' })
  const moments = [after(), asked, signed, included, again]
  expect(moments.map(isCancellable)).toEqual([true, true, false, false, true])
})

test('a finished action does not change any more', () => {
  const failed = after({ type: 'failed', reason: 'declined' })
  expect(txReducer(failed, { type: 'finished' })).toBe(failed)
  expect(txReducer(failed, { type: 'waitedTooLong' })).toBe(failed)
  const done = after({ type: 'finished' })
  expect(txReducer(done, { type: 'failed', reason: 'x' })).toBe(done)
})

test('the countdown starts at 180 and ends at 0', () => {
  expect(secondsLeft(180_000, 0)).toBe(180)
  expect(secondsLeft(180_000, 999)).toBe(180)
  expect(secondsLeft(180_000, 1000)).toBe(179)
  expect(secondsLeft(180_000, 180_000)).toBe(0)
  expect(secondsLeft(180_000, 200_000)).toBe(0)
})
