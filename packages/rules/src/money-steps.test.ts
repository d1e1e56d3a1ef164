import { expect, test } from 'vitest'
import { judgeStep, kindOfStep, type MoneyStep } from './money-steps.ts'

const step = (attempt: string, state: MoneyStep['state']): MoneyStep => ({
  ...{ attempt, state, askedAt: 0, hash: null },
})

test('with nothing under way, a wallet may be asked', () => {
  expect(judgeStep([], [])).toEqual({ kind: 'granted' })
})

test.each(['waiting', 'checking'] as const)(
  'while one is %s, no confirmation lets another begin',
  (state) => {
    const steps = [step('a', 'asked'), step('b', state)]
    expect(judgeStep(steps, ['a', 'b'])).toMatchObject({ kind: 'taken', mayConfirm: false })
  },
)

test.each(['asked', 'sent', 'arrived'] as const)(
  'after one that is %s, another begins only once the person has been told of it',
  (state) => {
    const steps = [step('a', state)]
    expect(judgeStep(steps, [])).toEqual({ kind: 'taken', mayConfirm: true, steps })
    expect(judgeStep(steps, ['b'])).toMatchObject({ kind: 'taken' })
    expect(judgeStep(steps, ['a'])).toEqual({ kind: 'granted' })
  },
)

test('being told of one step is not being told of a later one', () => {
  const steps = [step('a', 'asked'), step('b', 'asked')]
  expect(judgeStep(steps, ['a'])).toEqual({ kind: 'taken', mayConfirm: true, steps })
})

test('a name without a known kind is not a step', () => {
  expect(kindOfStep('fee:ABC')).toBe('fee')
  for (const name of ['', 'fees:A', 'toString:A', 'ABC']) expect(kindOfStep(name)).toBeUndefined()
})
