import { useEffect, useRef } from 'react'
import { useSearchParams } from 'react-router'

/**
 * Removes from an opened address what the page cannot show, so that the address says what is shown. Once only: later,
 * what is typed may be impossible for a moment, and stays until it is complete.
 * @param clean returns a copy of the parameters without the impossible ones
 */
export function useCleanAddress(clean: (params: URLSearchParams) => URLSearchParams): void {
  const [params, setParams] = useSearchParams()
  const isDone = useRef(false)
  useEffect(() => {
    if (isDone.current) return
    // Where several parts of a page clean the same address at once, the last one wins, and the others try again.
    if (clean(params).toString() === params.toString()) isDone.current = true
    else void setParams(clean, { replace: true, preventScrollReset: true })
  }, [clean, params, setParams])
}
