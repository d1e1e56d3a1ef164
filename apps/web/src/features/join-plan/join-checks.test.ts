import { expect, test } from 'vitest'
import {
  findFormProblem,
  findQuotaProblem,
  type JoinForm,
  type JoinTerms,
  roomOf,
} from './join-checks.ts'

const form = (change: Partial<JoinForm> = {}): JoinForm => ({
  planCode: 'PLAN-360',
  amount: '25',
  isFollowed: false,
  isWalletConnected: true,
  minimum: '10.000000',
  maximum: '50.000000',
  ...change,
})
const terms = (change: Partial<JoinTerms> = {}): JoinTerms => ({
  totalPercentage: '72',
  durationDays: 360,
  remainingDaily: '2000.000000',
  remainingAnnual: '10000.000000',
  ...change,
})

test.each([
  ['no plan', { planCode: '' }],
  ['no amount', { amount: '' }],
  ['no number', { amount: 'ten' }],
  ['an exponent', { amount: '1e1' }],
  ['only a point', { amount: '.' }],
])('[JOIN-09] %s: plan and amount are required', (_case, change) => {
  expect(findFormProblem(form(change))).toBe(
    'Please select an earning plan and enter the amount of token!',
  )
})

test.each([
  ['1,000', '“1,000” can be read in two ways.'],
  ['25 USDT', '“25 USDT” has another unit. Enter the number in DCT.'],
])('what is wrong with an amount of %s is named', (amount, problem) => {
  expect(findFormProblem(form({ amount }))).toContain(problem)
  expect(findFormProblem(form({ amount: '25 dct' }))).toBeUndefined()
})

test('[JOIN-10] an already followed plan is refused', () => {
  expect(findFormProblem(form({ isFollowed: true }))).toBe(
    "You have followed this plan, can't join again!",
  )
})

test('[JOIN-11] without a wallet the join is refused', () => {
  expect(findFormProblem(form({ isWalletConnected: false }))).toBe(
    "Tronlink hasn't been connected yet!Please connect the wallet first.",
  )
})

test.each(['0', '0.000000', '-5', '-0.1'])('[JOIN-12] %s is not greater than 0', (amount) => {
  expect(findFormProblem(form({ amount }))).toBe('The amount entered must be greater than 0!')
})

test('a comma is a decimal sign', () => {
  expect(findFormProblem(form({ amount: '10,5' }))).toBeUndefined()
  expect(findFormProblem(form({ amount: '9,5' }))).toBe(
    'The amount entered must be between 10 and 50 DCT!',
  )
})

test.each([
  [
    { remainingDaily: '100', remainingAnnual: '7.2' },
    { amount: '10.000000', by: 'annual' },
  ],
  [
    { remainingDaily: '7.2', remainingAnnual: '100' },
    { amount: '10.000000', by: 'daily' },
  ],
  [
    { remainingDaily: '0', remainingAnnual: '100' },
    { amount: '0.000000', by: 'daily' },
  ],
] as const)('the smaller quota decides how much can be joined: %j', (quota, room) => {
  expect(roomOf(terms(quota))).toEqual(room)
})

test.each(['9.99', '9.999999', '50.01', '50.000001', '1000000'])(
  '[JOIN-13] %s DCT is outside of the bounds',
  (amount) => {
    expect(findFormProblem(form({ amount }))).toBe(
      'The amount entered must be between 10 and 50 DCT!',
    )
  },
)

test.each(['10', '10.0', '010', '50', '50.000000', '10.000001', '25.5'])(
  '[JOIN-13] %s DCT is within the bounds',
  (amount) => {
    expect(findFormProblem(form({ amount }))).toBeUndefined()
  },
)

test.each(['0', '0.000000', '-1'])(
  '[JOIN-14] a daily quota of %s has run out',
  (remainingDaily) => {
    expect(findQuotaProblem('25', terms({ remainingDaily }))).toBe(
      'The daily quota for this plan has run out.Try again tomorrow!',
    )
  },
)

test('[JOIN-15] an annual quota of 0 has run out', () => {
  expect(findQuotaProblem('25', terms({ remainingAnnual: '0' }))).toBe(
    "The annual quota for this plan has run out.Can't join.",
  )
})

// The service never creates a plan without a percentage or duration, so these two rules need made-up terms.
test.each([undefined, '', 'NaN', '1e2'])(
  '[JOIN-16] a percentage of %j makes the plan data invalid',
  (totalPercentage) => {
    expect(findQuotaProblem('25', terms({ totalPercentage }))).toBe(
      'Plan data is invalid. Please refresh and try again.',
    )
  },
)

test('[JOIN-16] plan data without a duration is invalid', () => {
  expect(findQuotaProblem('25', terms({ durationDays: undefined }))).toBe(
    'Plan data is invalid. Please refresh and try again.',
  )
})

test('[JOIN-17] the estimate is amount * percentage / 100; exactly the quota is allowed', () => {
  const exact = terms({ remainingDaily: '18', remainingAnnual: '18.000000' })
  expect(findQuotaProblem('25', exact)).toBeUndefined()
  const fine = terms({ totalPercentage: '216', remainingDaily: '21.600002' })
  expect(findQuotaProblem('10.000001', fine)).toBeUndefined()
  expect(findQuotaProblem('10.000001', { ...fine, remainingDaily: '21.600001' })).toContain(
    '(21.600002 DCT)',
  )
})

test('[JOIN-18] above the daily quota the text names estimate and quota', () => {
  expect(findQuotaProblem('25', terms({ remainingDaily: '17.999999' }))).toBe(
    'The estimated reward (18.000000 DCT) exceeds the remaining daily quota (17.999999 DCT)!',
  )
})

test('[JOIN-19] above the annual quota the text names estimate and quota', () => {
  expect(findQuotaProblem('25', terms({ remainingAnnual: '5' }))).toBe(
    'The estimated reward (18.000000 DCT) exceeds the remaining annual quota (5.000000 DCT)!',
  )
})

test('[JOIN-20] a duration of zero counts as not found', () => {
  expect(findQuotaProblem('25', terms({ durationDays: 0 }))).toBe(
    'The duration of the earning plan was not found!',
  )
})

test('[JOIN-21] of several problems, the first in order is shown', () => {
  const formProblems: Partial<JoinForm>[] = [
    { planCode: '' },
    { isFollowed: true },
    { isWalletConnected: false },
    { amount: '0' },
  ]
  const texts = formProblems.map((_, index) =>
    findFormProblem(form(Object.assign({}, ...formProblems.slice(index)))),
  )
  expect(texts.map((text) => text?.slice(0, 12))).toEqual([
    'Please selec',
    'You have fol',
    'Tronlink has',
    'The amount e',
  ])
  expect(texts[3]).toContain('greater than 0')

  const quotaProblems: Partial<JoinTerms>[] = [
    { remainingDaily: '0' },
    { remainingAnnual: '0' },
    { totalPercentage: undefined },
    { durationDays: 0 },
  ]
  const quotaTexts = quotaProblems.map((_, index) =>
    findQuotaProblem('25', terms(Object.assign({}, ...quotaProblems.slice(index)))),
  )
  expect(quotaTexts.map((text) => text?.slice(0, 12))).toEqual([
    'The daily qu',
    'The annual q',
    'Plan data is',
    'The duration',
  ])
  expect(findQuotaProblem('25', terms({ remainingDaily: '1', durationDays: 0 }))).toContain(
    'exceeds the remaining daily quota',
  )
})
