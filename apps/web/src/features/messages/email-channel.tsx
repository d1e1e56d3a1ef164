import type { MessageSettingsReply } from '@dct/api-contract/messages'
import { readEmail } from '@dct/rules/email'
import { type FormEvent, useState } from 'react'
import { errorText } from '../../shared/api/api-error.ts'
import { useTexts } from '../../shared/i18n/texts.ts'
import { CheckedField } from '../../shared/ui/checked-field.tsx'
import { QuietButton } from '../../shared/ui/quiet-button.tsx'
import { toast } from '../../shared/ui/toast-store.ts'
import { Channel, type ChannelState, RemoveButton, TestButton } from './channel.tsx'
import { messages, useChange, useMessageLanguage } from './messages.api.ts'
import { messageSettingsTexts } from './messages.texts.ts'

/** The holder's email address: to be entered, to be confirmed by a link, confirmed, or rejected by its mail server. */
export function EmailChannel({ settings }: { settings: MessageSettingsReply }) {
  const text = useTexts(messageSettingsTexts)
  const [isReplacing, setIsReplacing] = useState(false)
  const { email } = settings
  const state = email?.state ?? 'none'
  return (
    <Channel name={text('email')} state={STATES[state]}>
      {email === null ? (
        <p className="soft">{text('emailLead')}</p>
      ) : (
        <p className="messages__long" role="status">
          {email.state === 'ended'
            ? text('bounced', { address: email.address, reason: text(email.problem ?? 'refused') })
            : text(email.state, { address: email.address })}
        </p>
      )}
      {(email === null || isReplacing || email.state === 'ended') && (
        <AddressForm
          address={email?.address ?? settings.registered_email ?? ''}
          onSent={() => setIsReplacing(false)}
        />
      )}
      {email !== null && (
        <div className="row">
          {email.state === 'confirmed' && <TestButton channel="email" />}
          {email.state === 'unconfirmed' && <SendAgain />}
          {email.state !== 'ended' && !isReplacing && (
            <QuietButton onClick={() => setIsReplacing(true)}>{text('otherAddress')}</QuietButton>
          )}
          <RemoveButton name={text('email')} remove={messages.removeEmail} />
        </div>
      )}
    </Channel>
  )
}

const STATES: Record<'none' | 'unconfirmed' | 'confirmed' | 'ended', ChannelState> = {
  none: 'off',
  unconfirmed: 'off',
  confirmed: 'on',
  ended: 'off',
}

function AddressForm({ address, onSent }: { address: string; onSent(): void }) {
  const text = useTexts(messageSettingsTexts)
  const language = useMessageLanguage()
  const [typed, setTyped] = useState(address)
  const [problem, setProblem] = useState<string>()
  const send = useChange(messages.setEmail)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    send.mutate(
      { address: readEmail(typed).email ?? typed, language },
      {
        onSuccess: onSent,
        onError: (error) => setProblem(errorText(error, text('sendFailed'))),
      },
    )
  }
  return (
    <form className="messages__form" noValidate onSubmit={submit}>
      <CheckedField
        label={text('address')}
        type="email"
        name="email"
        autoComplete="email"
        value={typed}
        problem={problem}
        onType={(now) => {
          setTyped(now)
          setProblem(undefined)
        }}
      />
      <button type="submit" className="button button--small" disabled={send.isPending}>
        {text('sendConfirmation')}
      </button>
    </form>
  )
}

function SendAgain() {
  const text = useTexts(messageSettingsTexts)
  const send = useChange(messages.confirmAgain)
  const press = () =>
    send.mutate(undefined, {
      onSuccess: () => toast.success(text('sentAgain')),
      onError: (error) => toast.error(errorText(error, text('sendFailed'))),
    })
  return (
    <QuietButton disabled={send.isPending} onClick={press}>
      {text('sendAgain')}
    </QuietButton>
  )
}
