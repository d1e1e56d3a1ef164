import type { PropsWithChildren } from 'react'
import './why-line.css'

/** Expands to explain how an amount came about. */
export function WhyLine({ title, children }: PropsWithChildren<{ title: string }>) {
  return (
    <details className="why-line small soft">
      <summary>{title}</summary>
      <p>{children}</p>
    </details>
  )
}
