import type { PropsWithChildren } from 'react'
import { Page } from '../shared/ui/page.tsx'
import { AdminNav } from './admin-nav.tsx'

/** The frame of an admin page: room for wide lists, and links to the pages that the top bar does not list. */
export function AdminPage({ title, children }: PropsWithChildren<{ title: string }>) {
  return (
    <Page title={title} lead={<AdminNav />} size="wide">
      {children}
    </Page>
  )
}
