import type { ReactNode } from 'react'

/** Codes of plans, claims and payouts: PLAN-360, CL-66E98FAA5E6883C9. */
const CODE = /([A-Z\d]+(?:-[A-Z\d]+)+)/

/** Keeps each code of a text on one line; without this, browsers break it after its hyphen. */
export function WholeCodes({ children }: { children: ReactNode }): ReactNode {
  if (typeof children !== 'string') return children
  return children.split(CODE).map((part, index) =>
    index % 2 === 1 ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: a sentence's parts do not change places
      <span key={index} className="whole-code">
        {part}
      </span>
    ) : (
      part
    ),
  )
}
