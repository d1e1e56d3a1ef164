import { expect, test } from 'vitest'
import { remember } from './remember.ts'

function scene() {
  let now = 0
  let readings = 0
  let isBroken = false
  const ask = remember({ realClock: { now: () => new Date(now) }, forMs: 1_000 }, async () => {
    readings += 1
    if (isBroken) throw new Error('no answer')
    return readings
  })
  return {
    ask,
    pass: (ms: number) => {
      now += ms
    },
    break: (value: boolean) => {
      isBroken = value
    },
  }
}

test('concurrent callers share one read, as do callers within its lifetime', async () => {
  const { ask, pass } = scene()
  expect(await Promise.all([ask(), ask(), ask()])).toEqual([1, 1, 1])
  pass(999)
  expect(await ask()).toBe(1)
  pass(1)
  expect(await ask()).toBe(2)
})

test('a failed read is repeated', async () => {
  const { ask, break: breakDown } = scene()
  breakDown(true)
  await expect(ask()).rejects.toThrow('no answer')
  breakDown(false)
  expect(await ask()).toBe(2)
})
