import { Tabs as Radix } from 'radix-ui'
import { type ReactNode, useEffect, useRef } from 'react'
import './tabs.css'

export type Tab = {
  id: string
  name: string
  content: ReactNode
  /** The number of pending items in the tab, and a description of them; nothing is shown for 0. */
  waiting?: { count: number; words: string } | undefined
}

type TabsProps = {
  /** The accessible name of the tab list. */
  label: string
  tabs: readonly Tab[]
  active: string
  onChange(id: string): void
}

/** Tabs whose contents are rendered only when shown. */
export function Tabs({ label, tabs, active, onChange }: TabsProps) {
  const list = useRef<HTMLDivElement>(null)
  const widths = tabs.map(({ name, waiting }) => `${name} ${waiting?.count ?? ''}`).join()
  // biome-ignore lint/correctness/useExhaustiveDependencies: scroll again whenever another tab becomes active or what the tabs show changes
  useEffect(() => showActive(list.current), [active, widths])
  return (
    <Radix.Root className="tabs" value={active} onValueChange={onChange}>
      <Radix.List ref={list} className="tabs__list" aria-label={label}>
        {tabs.map(({ id, name, waiting }) => (
          <Radix.Trigger key={id} className="tabs__tab" value={id} title={waiting?.words}>
            {name}
            {waiting !== undefined && waiting.count > 0 && (
              <span className="tabs__count" aria-hidden="true">
                {waiting.count}
              </span>
            )}
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

/** The width of each edge over which the tabs fade; see tabs.css. */
const FADE_PX = 24

/** Scrolls the active tab into view on a narrow screen, without moving the page itself. */
function showActive(list: HTMLElement | null): void {
  const tab = list?.querySelector<HTMLElement>('[data-state="active"]')
  if (!list || !tab) return
  const left = tab.offsetLeft - list.offsetLeft
  const isSeen =
    left - FADE_PX >= list.scrollLeft &&
    left + tab.offsetWidth + FADE_PX <= list.scrollLeft + list.clientWidth
  if (!isSeen) list.scrollLeft = left - FADE_PX
}
