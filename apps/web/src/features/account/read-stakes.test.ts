import { expect, test } from 'vitest'
import { decodeStake } from './read-stakes.ts'

const word = (value: bigint) => value.toString(16).padStart(64, '0')

test("a stake is read from the contract's answer", () => {
  const answer = [
    32n,
    0xabcdefn,
    10_000_000n,
    7_200_000n,
    1_700_000_000n,
    1_731_104_000n,
    1n,
    224n,
    8n,
  ]
  expect(decodeStake(answer.map(word).join(''))).toEqual({
    amount: 10_000_000n,
    reward: 7_200_000n,
    start: new Date('2023-11-14T22:13:20.000Z'),
    end: new Date('2024-11-08T22:13:20.000Z'),
    isReleased: true,
  })
})

test('a truncated reply is refused', () => {
  expect(() => decodeStake(word(32n))).toThrow(RangeError)
})
