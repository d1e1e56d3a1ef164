import type { MessageChannel, MessageSettingsReply } from '@dct/api-contract/messages'
import { useId } from 'react'
import { errorText } from '../../shared/api/api-error.ts'
import { useTexts } from '../../shared/i18n/texts.ts'
import { Callout } from '../../shared/ui/callout.tsx'
import { toast } from '../../shared/ui/toast-store.ts'
import { messages, useChange } from './messages.api.ts'
import { messageSettingsTexts } from './messages.texts.ts'

const NAMES = { email: 'email', push: 'devices', telegram: 'telegram' } as const

type Choice = MessageSettingsReply['choices'][number]

/** Which messages each channel sends; a tick is stored as soon as it is changed. */
export function ChoicesTable({ settings }: { settings: MessageSettingsReply }) {
  const text = useTexts(messageSettingsTexts)
  const heading = useId()
  const offered = (['email', 'push', 'telegram'] as const).filter(
    (channel) => settings.offered[channel],
  )
  const working = workingChannels(settings)
  const reminder = settings.choices.find(({ kind }) => kind === 'freeze_reminder')
  const isUntold = reminder !== undefined && !working.some((channel) => reminder[channel])
  return (
    <section className="panel" aria-labelledby={heading}>
      <h2 id={heading}>{text('choices')}</h2>
      <p className="soft">{text('choicesLead')}</p>
      {isUntold && (
        <Callout tone="warn" role="status">
          <p>{text('noReminder')}</p>
        </Callout>
      )}
      <table className="messages__choices">
        <caption className="visually-hidden">{text('choices')}</caption>
        <thead>
          <tr>
            <th scope="col">{text('kind')}</th>
            {offered.map((channel) => (
              <th key={channel} scope="col">
                {unbroken(text(NAMES[channel]))}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {settings.choices.map((choice) => (
            <tr key={choice.kind}>
              <th scope="row">{text(choice.kind)}</th>
              {offered.map((channel) => (
                <td key={channel} data-is-off={!working.includes(channel)}>
                  <Tick choice={choice} channel={channel} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

/** Lines must not break after a hyphen: "E-mail" is one word. */
function unbroken(name: string): string {
  return name.replaceAll('-', '\u2011')
}

function Tick({ choice, channel }: { choice: Choice; channel: MessageChannel }) {
  const text = useTexts(messageSettingsTexts)
  const choose = useChange(messages.choose)
  return (
    <label className="messages__tick">
      <span className="visually-hidden">{`${text(choice.kind)}: ${text(NAMES[channel])}`}</span>
      <input
        type="checkbox"
        checked={choose.isPending ? choose.variables.is_wanted : choice[channel]}
        onChange={({ target }) =>
          choose.mutate(
            { kind: choice.kind, channel, is_wanted: target.checked },
            { onError: (error) => toast.error(errorText(error, text('saveFailed'))) },
          )
        }
      />
    </label>
  )
}

/** The channels that would currently deliver a message. */
function workingChannels({ email, push, telegram }: MessageSettingsReply): MessageChannel[] {
  return [
    ...(email?.state === 'confirmed' ? (['email'] as const) : []),
    ...(push.some(({ state }) => state === 'subscribed') ? (['push'] as const) : []),
    ...(telegram?.state === 'linked' ? (['telegram'] as const) : []),
  ]
}
