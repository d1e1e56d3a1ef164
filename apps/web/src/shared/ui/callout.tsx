import type { PropsWithChildren } from 'react'
import { InfoIcon, WarningIcon } from './icons.tsx'

type CalloutProps = PropsWithChildren<{ tone?: 'info' | 'warn' | 'bad'; role?: 'alert' | 'status' }>

/** A box with words that stays in place, unlike a toast. */
export function Callout({ tone = 'info', role, children }: CalloutProps) {
  const Icon = tone === 'info' ? InfoIcon : WarningIcon
  return (
    <div className="callout" data-tone={tone} role={role}>
      <Icon />
      <div className="stack stack--tight">{children}</div>
    </div>
  )
}
