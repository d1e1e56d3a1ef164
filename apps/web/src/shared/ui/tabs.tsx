import { Tabs as Radix } from 'radix-ui'
import type { ReactNode } from 'react'
import './tabs.css'

export type Tab = { id: string; name: string; content: ReactNode }

type TabsProps = {
  /** Names the group of tabs. */
  label: string
  tabs: readonly Tab[]
  active: string
  onChange(id: string): void
}

/** Tabs whose contents are made when they are shown. */
export function Tabs({ label, tabs, active, onChange }: TabsProps) {
  return (
    <Radix.Root className="tabs" value={active} onValueChange={onChange}>
      <Radix.List className="tabs__list" aria-label={label}>
        {tabs.map(({ id, name }) => (
          <Radix.Trigger key={id} className="tabs__tab" value={id}>
            {name}
          </Radix.Trigger>
        ))}
      </Radix.List>
      {tabs.map(({ id, content }) => (
        <Radix.Content key={id} className="tabs__content" value={id}>
          {content}
        </Radix.Content>
      ))}
    </Radix.Root>
  )
}
