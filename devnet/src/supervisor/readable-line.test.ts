import { expect, test } from 'vitest'
import { readableLine } from './readable-line.ts'

test('a log line becomes words, with the facts and the error behind', () => {
  const time = new Date(2026, 0, 2, 3, 4, 5).getTime()
  const line = { level: 40, time, msg: 'payout waits', payoutId: 7, why: 'no energy' }
  expect(readableLine(JSON.stringify(line))).toBe(
    '03:04:05  WARN  payout waits  payoutId=7  why=no energy',
  )
  const failed = { level: 50, msg: 'step failed', err: { message: 'x', stack: 'Error: x\n  at y' } }
  expect(readableLine(JSON.stringify(failed))).toBe('ERROR  step failed  \nError: x\n  at y')
})

test('debugging lines are left out, and what is no log line stays as it is', () => {
  expect(readableLine('{"level":20,"msg":"detail"}')).toBeUndefined()
  expect(readableLine('{not json')).toBe('{not json')
  expect(readableLine('plain words')).toBe('plain words')
})
