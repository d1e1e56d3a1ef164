import { useEffect, useReducer } from 'react'
import { useBusinessNow } from '../config/business-time.ts'
import { useLanguage } from '../i18n/texts.ts'
import { relativeTime } from './relative-time.ts'

const TICK_MS = 60_000

/** The distance to an instant in business time, kept up to date while the page is open. */
export function useRelativeTime(at: Date): string {
  const language = useLanguage()
  const now = useBusinessNow()
  const [, tick] = useReducer((ticks: number) => ticks + 1, 0)
  useEffect(() => {
    const timer = setInterval(tick, TICK_MS)
    return () => clearInterval(timer)
  }, [])
  return relativeTime(at, now, language)
}
