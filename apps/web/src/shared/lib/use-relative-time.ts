import { useLingui } from '@lingui/react'
import { useEffect, useReducer } from 'react'
import { useBusinessNow } from '../config/business-time.ts'
import { relativeTime } from './relative-time.ts'

const TICK_MS = 60_000

/** How far an instant is away by the product's time, kept true while the page is open. */
export function useRelativeTime(at: Date): string {
  const { i18n } = useLingui()
  const now = useBusinessNow()
  const [, tick] = useReducer((ticks: number) => ticks + 1, 0)
  useEffect(() => {
    const timer = setInterval(tick, TICK_MS)
    return () => clearInterval(timer)
  }, [])
  return relativeTime(at, now, i18n.locale)
}
