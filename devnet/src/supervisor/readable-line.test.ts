import { expect, test } from 'vitest'
import { readableLine } from './readable-line.ts'

test('a log line is formatted as text, followed by its fields and error', () => {
  const time = new Date(2026, 0, 2, 3, 4, 5).getTime()
  const line = { level: 40, time, msg: 'payout waits', payoutId: 7, why: 'no energy' }
  expect(readableLine(JSON.stringify(line))).toBe(
    '03:04:05  WARN  payout waits  payoutId=7  why=no energy',
  )
  const failed = { level: 50, msg: 'step failed', err: { message: 'x', stack: 'Error: x\n  at y' } }
  expect(readableLine(JSON.stringify(failed))).toBe('ERROR  step failed  \nError: x\n  at y')
})

test('debug lines are left out, and other lines are unchanged', () => {
  expect(readableLine('{"level":20,"msg":"detail"}')).toBeUndefined()
  expect(readableLine('{not json')).toBe('{not json')
  expect(readableLine('plain words')).toBe('plain words')
})
