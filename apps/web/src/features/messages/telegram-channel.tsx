import type { MessageSettingsReply } from '@dct/api-contract/messages'
import { useState } from 'react'
import { errorText } from '../../shared/api/api-error.ts'
import { useTexts } from '../../shared/i18n/texts.ts'
import { SmallButton } from '../../shared/ui/small-button.tsx'
import { toast } from '../../shared/ui/toast-store.ts'
import { Channel, RemoveButton, TestButton } from './channel.tsx'
import { messages, useChange, useMessageLanguage } from './messages.api.ts'
import { messageSettingsTexts } from './messages.texts.ts'

/** The chat with the bot: linked, ended by the holder in Telegram, or not linked yet. */
export function TelegramChannel({ settings: { telegram } }: { settings: MessageSettingsReply }) {
  const text = useTexts(messageSettingsTexts)
  const isLinked = telegram?.state === 'linked'
  const state = isLinked ? 'telegramLinked' : 'telegramEnded'
  return (
    <Channel name={text('telegram')} state={isLinked ? 'on' : 'off'}>
      {telegram === null ? (
        <p className="soft">{text('telegramLead')}</p>
      ) : (
        <p className="messages__long" role="status">
          {text(state, { name: telegram.name })}
        </p>
      )}
      {!isLinked && <LinkChat />}
      {telegram !== null && (
        <div className="row">
          {isLinked && <TestButton channel="telegram" />}
          <RemoveButton name={text('telegram')} remove={messages.removeTelegram} />
        </div>
      )}
    </Channel>
  )
}

function LinkChat() {
  const text = useTexts(messageSettingsTexts)
  const language = useMessageLanguage()
  const [url, setUrl] = useState<string>()
  const link = useChange(async () => setUrl((await messages.linkTelegram(language)).url))
  const press = () =>
    link.mutate(undefined, {
      onError: (error) => toast.error(errorText(error, text('linkFailed'))),
    })
  if (url !== undefined) return <OpenChat url={url} />
  return (
    <div className="row">
      <SmallButton disabled={link.isPending} onClick={press}>
        {text('linkTelegram')}
      </SmallButton>
    </div>
  )
}

function OpenChat({ url }: { url: string }) {
  const text = useTexts(messageSettingsTexts)
  return (
    <>
      <p role="status">{text('telegramSteps')}</p>
      <p>
        <a className="button button--small" href={url} target="_blank" rel="noopener noreferrer">
          {text('openTelegram')}
        </a>
      </p>
    </>
  )
}
