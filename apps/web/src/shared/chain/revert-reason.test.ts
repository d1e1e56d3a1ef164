import { stakingAbi } from '@dct/contract-abi'
import { ERROR_SELECTORS } from '@dct/contract-abi/error-selectors'
import { encodeErrorResult } from 'viem'
import { expect, test } from 'vitest'
import { chainTexts } from './chain.texts.ts'
import { readRevert, revertSentence } from './revert-reason.ts'

const t = (key: string, values?: object) => `${key}${values ? JSON.stringify(values) : ''}`

test('an error without a dedicated sentence is unknown', () => {
  const data = encodeErrorResult({ abi: stakingAbi, errorName: 'Staking_NotEnded', args: [1n, 2n] })
  expect(readRevert(data.slice(2))).toEqual({ name: 'Unknown', text: '' })
})

test('every sentence for a contract error belongs to an error of the contracts', () => {
  const others = ['OutOfEnergy', 'Unknown', 'UnknownWith']
  const named = Object.keys(chainTexts.english).filter((key) => !others.includes(key))
  expect(Object.values(ERROR_SELECTORS)).toEqual(expect.arrayContaining(named))
})

test('a typed error of the pool is recognised when the staking contract passes it on', () => {
  const data = encodeErrorResult({
    abi: stakingAbi,
    errorName: 'RewardPool_InsufficientFree',
    args: [1n, 2n],
  })
  expect(readRevert(data.slice(2))).toEqual({ name: 'RewardPool_InsufficientFree' })
})

test("an older token's plain text is returned", () => {
  const data = encodeErrorResult({
    abi: [{ type: 'error', name: 'Error', inputs: [{ type: 'string', name: 'reason' }] }],
    errorName: 'Error',
    args: ['no allowance'],
  })
  const reason = readRevert(data.slice(2))
  expect(reason).toEqual({ name: 'Unknown', text: 'no allowance' })
  expect(revertSentence(t, reason)).toBe('UnknownWith{"text":"no allowance"}')
})

test.each(['', '08c379a0', '08c379a000', 'ffffffff', 'zz', 'constructor'])(
  'data without a reason (%j) is unknown',
  (data) => {
    expect(readRevert(data)).toEqual({ name: 'Unknown', text: '' })
    expect(revertSentence(t, readRevert(data))).toBe('Unknown')
  },
)
