import type { PropsWithChildren } from 'react'
import './why-line.css'

/** Opened, it tells what an amount follows from. */
export function WhyLine({ title, children }: PropsWithChildren<{ title: string }>) {
  return (
    <details className="why-line small soft">
      <summary>{title}</summary>
      <p>{children}</p>
    </details>
  )
}
