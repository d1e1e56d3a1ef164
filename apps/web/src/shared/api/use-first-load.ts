import { useState } from 'react'

type Load = { data: unknown; isLoading: boolean; isError: boolean; refetch(): unknown }

/**
 * Whether the data that decides a page's layout is loading for the first time, in which case it would jump if it were
 * rendered piecemeal, and whether all of it has failed, which one sentence says instead of one in each part.
 */
export function useFirstLoad(loads: readonly Load[]) {
  const isLoading = loads.some((load) => load.isLoading)
  // Failed loads are retried as soon as the parts render; that must not hide the parts again.
  const [isOver, setIsOver] = useState(false)
  if (!isLoading && !isOver) setIsOver(true)
  return {
    isLoading: isLoading && !isOver,
    hasFailed: loads.every(({ data, isError }) => data === undefined && isError),
    retry: () => {
      for (const load of loads) void load.refetch()
    },
  }
}
