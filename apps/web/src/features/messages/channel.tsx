import type { MessageReply } from '@dct/api-contract/common'
import type { MessageChannel } from '@dct/api-contract/messages'
import { type PropsWithChildren, useId } from 'react'
import { errorText } from '../../shared/api/api-error.ts'
import { useTexts } from '../../shared/i18n/texts.ts'
import { QuietButton } from '../../shared/ui/quiet-button.tsx'
import { toast } from '../../shared/ui/toast-store.ts'
import { messages, useChange } from './messages.api.ts'
import { messageSettingsTexts } from './messages.texts.ts'
import './messages.css'

export type ChannelState = 'on' | 'off'

/** One channel of messages: its name, its state, and its actions. */
export function Channel(props: PropsWithChildren<{ name: string; state: ChannelState }>) {
  const text = useTexts(messageSettingsTexts)
  const heading = useId()
  return (
    <section className="panel" aria-labelledby={heading}>
      <div className="panel__head">
        <h2 id={heading}>{props.name}</h2>
        <span className="badge" data-tone={props.state === 'on' ? 'good' : undefined}>
          {text(props.state)}
        </span>
      </div>
      {props.children}
    </section>
  )
}

export function TestButton({ channel }: { channel: MessageChannel }) {
  const text = useTexts(messageSettingsTexts)
  const test = useChange(messages.test)
  const press = () =>
    test.mutate(channel, {
      onSuccess: () => toast.success(text('testSent')),
      onError: (error) => toast.error(errorText(error, text('testFailed'))),
    })
  return (
    <QuietButton disabled={test.isPending} onClick={press}>
      {text('test')}
    </QuietButton>
  )
}

/** @param props.name the name of what is removed, for screen readers */
export function RemoveButton(props: { name: string; remove(): Promise<MessageReply> }) {
  const text = useTexts(messageSettingsTexts)
  const remove = useChange(props.remove)
  const press = () =>
    remove.mutate(undefined, {
      onError: (error) => toast.error(errorText(error, text('removeFailed'))),
    })
  return (
    <QuietButton disabled={remove.isPending} onClick={press}>
      {text('remove')} <span className="visually-hidden">{props.name}</span>
    </QuietButton>
  )
}
