import type { ComponentProps } from 'react'

/** A small button for an action beside the main one. */
export function QuietButton(props: ComponentProps<'button'>) {
  return <button type="button" className="button button--quiet button--small" {...props} />
}
