import { type ReactNode, useState } from 'react'
import { Tabs } from '../../shared/ui/tabs.tsx'

type View = { name: string; content: ReactNode }

/** The same content as a list or as a picture, one at a time. */
export function TwoViews({ label, list, picture }: { label: string; list: View; picture: View }) {
  const [active, choose] = useState('list')
  const tabs = [
    { id: 'list', ...list },
    { id: 'picture', ...picture },
  ]
  return <Tabs label={label} tabs={tabs} active={active} onChange={choose} />
}
