import { Dialog } from 'radix-ui'
import type { ReactElement } from 'react'

// Radix types these as if they could return a bare text, which JSX here refuses; they return elements.
export const DialogRoot = Dialog.Root as (props: Dialog.DialogProps) => ReactElement
export const DialogPortal = Dialog.Portal as (props: Dialog.DialogPortalProps) => ReactElement
