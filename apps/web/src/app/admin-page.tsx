import type { PropsWithChildren } from 'react'
import { Page } from '../shared/ui/page.tsx'
import { AdminNav } from './admin-nav.tsx'

/** The frame of an admin's page: room for wide lists, and the ways to what the top bar does not name. */
export function AdminPage({ title, children }: PropsWithChildren<{ title: string }>) {
  return (
    <Page title={title} lead={<AdminNav />} size="wide">
      {children}
    </Page>
  )
}
