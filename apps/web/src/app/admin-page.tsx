import type { PropsWithChildren } from 'react'
import { Page } from '../shared/ui/page.tsx'

/** The frame of an admin page, with room for wide lists. */
export function AdminPage({ title, children }: PropsWithChildren<{ title: string }>) {
  return (
    <Page title={title} size="wide">
      {children}
    </Page>
  )
}
