import type { PropsWithChildren } from 'react'
import { InfoIcon, WarningIcon } from './icons.tsx'

type NoticeProps = PropsWithChildren<{ tone?: 'info' | 'warn' | 'bad'; role?: 'alert' | 'status' }>

/** A message that stays in place, unlike a toast. */
export function Notice({ tone = 'info', role, children }: NoticeProps) {
  const Icon = tone === 'info' ? InfoIcon : WarningIcon
  return (
    <div className="notice" data-tone={tone} role={role}>
      <Icon />
      <div className="stack stack--tight">{children}</div>
    </div>
  )
}
