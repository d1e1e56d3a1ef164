import { expect, onTestFinished, test, vi } from 'vitest'
import { configQuery } from './public-config.ts'

test('a page that is open at midnight in UTC+7 asks for the new day just after it, even in the background', () => {
  vi.useFakeTimers({ now: new Date('2026-11-27T16:59:00Z') })
  onTestFinished(() => void vi.useRealTimers())
  const { refetchInterval, refetchIntervalInBackground } = configQuery
  if (typeof refetchInterval !== 'function') throw new TypeError('It asks at fixed intervals.')
  const answered = { state: { error: null } } as Parameters<typeof refetchInterval>[0]
  expect(refetchInterval(answered)).toBe(62_000)
  expect(refetchIntervalInBackground).toBe(true)
})
