import type { ReactNode } from 'react'

/** The hyphens of codes of plans, claims and payouts, with their neighbours: PLAN-360, CL-66E98FAA5E6883C9. */
const HYPHENS = /([A-Z\d](?:-[A-Z\d])+)/

/**
 * Keeps browsers from breaking the codes of a text after their hyphens; a code that is longer than its line still breaks
 * somewhere. Uses inline elements, so that screen readers read the text unchanged.
 */
export function WholeCodes({ children }: { children: ReactNode }): ReactNode {
  if (typeof children !== 'string') return children
  return children.split(HYPHENS).map((part, index) =>
    index % 2 === 1 ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: a sentence's parts do not change places
      <span key={index} className="hyphen">
        {part}
      </span>
    ) : (
      part
    ),
  )
}
