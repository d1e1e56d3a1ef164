import { type PropsWithChildren, useId } from 'react'

type BlockProps = PropsWithChildren<{ title: string; lead?: string }>

/** A section of the page with its own heading. */
export function Block({ title, lead, children }: BlockProps) {
  const headingId = useId()
  return (
    <section className="panel" aria-labelledby={headingId}>
      <div className="stack stack--tight">
        <h2 id={headingId}>{title}</h2>
        {lead && <p className="soft small">{lead}</p>}
      </div>
      {children}
    </section>
  )
}
