import type { PropsWithChildren } from 'react'
import { LoadFailed } from './load-failed.tsx'

type NotLoadedProps = PropsWithChildren<{ query: { isPending: boolean; refetch(): unknown } }>

/** Shown in place of a query's data: that it is loading, or, in the words of the children, that it failed to load. */
export function NotLoaded({ query, children }: NotLoadedProps) {
  if (query.isPending) return <span className="skeleton skeleton--block" aria-busy="true" />
  return <LoadFailed onRetry={() => void query.refetch()}>{children}</LoadFailed>
}
