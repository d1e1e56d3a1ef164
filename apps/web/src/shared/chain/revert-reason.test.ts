import { rewardPoolAbi, stakingAbi, tokenAbi } from '@dct/contract-abi'
import { encodeErrorResult, toFunctionSelector } from 'viem'
import { expect, test } from 'vitest'
import { chainTexts } from './chain.texts.ts'
import { ERROR_SELECTORS, readRevert, revertSentence } from './revert-reason.ts'

const ERRORS = [...stakingAbi, ...rewardPoolAbi, ...tokenAbi].filter(({ type }) => type === 'error')
const t = (key: string, values?: object) => `${key}${values ? JSON.stringify(values) : ''}`

test('the table of selectors matches the contracts', () => {
  const real = new Map(
    ERRORS.map((error) => {
      const { name, inputs } = error as { name: string; inputs: readonly { type: string }[] }
      const signature = `function ${name}(${inputs.map(({ type }) => type).join(',')})`
      return [toFunctionSelector(signature).slice(2), name]
    }),
  )
  for (const [selector, name] of Object.entries(ERROR_SELECTORS)) {
    expect(real.get(selector), name).toBe(name)
    expect(chainTexts.english).toHaveProperty(name)
  }
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
