import type { MessageReply } from '@dct/api-contract/common'
import type { NoticeChannel } from '@dct/api-contract/notices'
import { type PropsWithChildren, useId } from 'react'
import { errorText } from '../../shared/api/api-error.ts'
import { useTexts } from '../../shared/i18n/texts.ts'
import { QuietButton } from '../../shared/ui/quiet-button.tsx'
import { toast } from '../../shared/ui/toast-store.ts'
import { notices, useChange } from './notices.api.ts'
import { noticesTexts } from './notices.texts.ts'
import './notices.css'

export type ChannelState = 'on' | 'off'

/** One notification channel: its name, its state, and its actions. */
export function Channel(props: PropsWithChildren<{ name: string; state: ChannelState }>) {
  const text = useTexts(noticesTexts)
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

export function TestButton({ channel }: { channel: NoticeChannel }) {
  const text = useTexts(noticesTexts)
  const test = useChange(notices.test)
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
  const text = useTexts(noticesTexts)
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
