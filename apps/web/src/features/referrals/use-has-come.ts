import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useReducer } from 'react'
import { useBusinessNow } from '../../shared/config/business-time.ts'

/** Nobody has the page open for longer; opened again, it looks again. */
const LONGEST_WAIT_MS = 24 * 60 * 60 * 1000

/**
 * Whether that instant has come, by the product's time; turns true by itself when it comes. Unknown
 * counts as not come.
 */
export function useHasCome(instant: string | undefined): boolean {
  const queryClient = useQueryClient()
  const [, lookAgain] = useReducer((looks: number) => looks + 1, 0)
  const now = useBusinessNow().getTime()
  const comesAt = instant === undefined ? Number.NaN : Date.parse(instant)
  const wait = comesAt - now
  useEffect(() => {
    if (!(wait > 0 && wait <= LONGEST_WAIT_MS)) return undefined
    // The service's day has a part in the product's time, so that is what has to be fresh.
    const look = async () => {
      await queryClient.invalidateQueries({ queryKey: ['config'] })
      lookAgain()
    }
    const timer = setTimeout(() => void look(), wait)
    return () => clearTimeout(timer)
  }, [wait, queryClient])
  return now >= comesAt
}
