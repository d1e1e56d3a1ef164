import type { PropsWithChildren, ReactNode } from 'react'
import { DEFAULT_BRAND, usePublicConfig } from '../config/public-config.ts'

type PageProps = PropsWithChildren<{
  title: string
  /** A line under the title. */
  lead?: ReactNode
  /** `narrow` for a single form, `split` for one with something to read beside it, `wide` for lists, `dense` for many parts. */
  size?: 'normal' | 'narrow' | 'split' | 'wide' | 'dense'
}>

/** A page's frame: its heading, which is also the window's title. */
export function Page({ title, lead, size = 'normal', children }: PageProps) {
  const brand = usePublicConfig()?.brand ?? DEFAULT_BRAND
  return (
    <div className="page" data-size={size}>
      <title>{`${title} · ${brand}`}</title>
      <header className="page__head">
        <h1>{title}</h1>
        {lead && <div className="page__lead">{lead}</div>}
      </header>
      {children}
    </div>
  )
}
