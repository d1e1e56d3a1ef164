import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useReducer } from 'react'
import { useBusinessNow } from '../../shared/config/business-time.ts'

/** No page stays open longer than this; a newly opened one checks again. */
const LONGEST_WAIT_MS = 24 * 60 * 60 * 1000

/**
 * Whether an instant has been reached, in business time; becomes true automatically when it is. An unknown instant
 * counts as not reached.
 */
export function useHasCome(instant: string | undefined): boolean {
  const queryClient = useQueryClient()
  const [, lookAgain] = useReducer((looks: number) => looks + 1, 0)
  const now = useBusinessNow().getTime()
  const comesAt = instant === undefined ? Number.NaN : Date.parse(instant)
  const wait = comesAt - now
  useEffect(() => {
    if (!(wait > 0 && wait <= LONGEST_WAIT_MS)) return undefined
    // Business time depends on the service's day, so that is what has to be refreshed.
    const look = async () => {
      await queryClient.invalidateQueries({ queryKey: ['config'] })
      lookAgain()
    }
    const timer = setTimeout(() => void look(), wait)
    return () => clearTimeout(timer)
  }, [wait, queryClient])
  return now >= comesAt
}
