import type { PropsWithChildren } from 'react'

type PanelProps = PropsWithChildren<{ title: string; className?: string }>

/** A part of a page with its heading. */
export function Panel({ title, className, children }: PanelProps) {
  return (
    <section className={className ? `panel ${className}` : 'panel'} aria-label={title}>
      <h2>{title}</h2>
      {children}
    </section>
  )
}
