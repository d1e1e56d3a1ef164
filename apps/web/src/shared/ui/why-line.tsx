import type { PropsWithChildren } from 'react'
import './why-line.css'
import { WholeCodes } from './whole-codes.tsx'

/** Expands to explain how an amount came about. */
export function WhyLine({ title, children }: PropsWithChildren<{ title: string }>) {
  return (
    <details className="why-line small soft">
      <summary>{title}</summary>
      <p>
        <WholeCodes>{children}</WholeCodes>
      </p>
    </details>
  )
}
