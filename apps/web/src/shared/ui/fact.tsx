import type { PropsWithChildren } from 'react'

type FactProps = PropsWithChildren<{ term: string; hint?: string; tone?: 'warn' }>

/** One term and its value in a `<dl className="facts">`; the hint explains the term. */
export function Fact({ term, hint, tone, children }: FactProps) {
  return (
    <div>
      <dt>
        <span>{term}</span>
        {hint && <span className="facts__hint">{hint}</span>}
      </dt>
      <dd data-tone={tone}>{children}</dd>
    </div>
  )
}
