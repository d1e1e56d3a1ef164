import { expect, test } from 'vitest'
import { EMPTY_FORM, maxTokenOf, type PlanForm, readPlanForm } from './plan-form.ts'

const FULL: PlanForm = {
  ...EMPTY_FORM,
  planCode: ' PLAN-1 ',
  name: ' One ',
  totalReward: '1000.5',
  durationDays: '360',
  totalPercentage: '72.25',
  dailyLimit: '10.125',
}

test('amounts and percentage are parsed with fractions, the duration as a whole number', () => {
  expect(readPlanForm(FULL)).toEqual({
    body: {
      plan_code: 'PLAN-1',
      name: 'One',
      total_reward: 1000.5,
      duration_days: 360,
      total_percentage: 72.25,
      daily_limit: 10.125,
      is_accumulation_active: false,
      is_active: true,
    },
  })
  expect(readPlanForm({ ...FULL, totalReward: '1000,5', dailyLimit: '10,1250 DCT' })).toEqual(
    readPlanForm(FULL),
  )
  expect(readPlanForm({ ...FULL, dailyLimit: '10,125' })).toEqual({ problem: 'dailyLimit' })
  expect(readPlanForm({ ...FULL, durationDays: '360.9' })).toMatchObject({
    body: { duration_days: 360 },
  })
})

test('name and daily limit are checked first', () => {
  expect(readPlanForm({ ...FULL, name: '  ', totalReward: 'x' })).toEqual({ problem: 'incomplete' })
  expect(readPlanForm({ ...FULL, dailyLimit: '' })).toEqual({ problem: 'incomplete' })
})

test('a field that is not a plain number is reported', () => {
  expect(readPlanForm({ ...FULL, totalReward: '1e5' })).toEqual({ problem: 'totalReward' })
  expect(readPlanForm({ ...FULL, durationDays: '' })).toEqual({ problem: 'durationDays' })
  expect(readPlanForm({ ...FULL, totalPercentage: '7,2,1' })).toEqual({
    problem: 'totalPercentage',
  })
  expect(readPlanForm({ ...FULL, dailyLimit: '-1' })).toEqual({ problem: 'dailyLimit' })
})

test('the maximum locked amount follows from reward and percentage', () => {
  const form = { ...FULL, totalReward: '10000', totalPercentage: '72' }
  expect(maxTokenOf(form, 6)).toBe('13888.888888')
  expect(maxTokenOf({ ...form, totalReward: '10000,0' }, 6)).toBe('13888.888888')
  expect(maxTokenOf({ ...form, totalPercentage: '0' }, 6)).toBeUndefined()
  expect(maxTokenOf({ ...form, totalReward: '' }, 6)).toBeUndefined()
})
