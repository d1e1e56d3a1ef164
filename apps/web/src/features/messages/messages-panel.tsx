import type { MessageSettingsReply } from '@dct/api-contract/messages'
import { useQuery } from '@tanstack/react-query'
import { errorText } from '../../shared/api/api-error.ts'
import { useTexts } from '../../shared/i18n/texts.ts'
import { NotLoaded } from '../../shared/ui/not-loaded.tsx'
import { QuietButton } from '../../shared/ui/quiet-button.tsx'
import { StaleCallout } from '../../shared/ui/stale-callout.tsx'
import { toast } from '../../shared/ui/toast-store.ts'
import { ChoicesTable } from './choices-table.tsx'
import { EmailChannel } from './email-channel.tsx'
import { messageSettingsQuery } from './message-settings-query.ts'
import { messages, useChange, useMessageLanguage } from './messages.api.ts'
import { messageSettingsTexts } from './messages.texts.ts'
import { PushChannel } from './push-channel.tsx'
import { TelegramChannel } from './telegram-channel.tsx'

/** Through which channels the holder is notified, and of what. */
export function MessagesPanel() {
  const text = useTexts(messageSettingsTexts)
  const found = useQuery(messageSettingsQuery)
  if (found.data === undefined) {
    return <NotLoaded query={found}>{text('loadFailed')}</NotLoaded>
  }
  const { offered } = found.data
  if (!offered.email && !offered.push && !offered.telegram) {
    return <p className="panel">{text('noneOffered')}</p>
  }
  return (
    <>
      <StaleCallout query={found} />
      {offered.email && <EmailChannel settings={found.data} />}
      {offered.push && <PushChannel settings={found.data} />}
      {offered.telegram && <TelegramChannel settings={found.data} />}
      <ChoicesTable settings={found.data} />
      <LanguageOfMessages settings={found.data} />
    </>
  )
}

/** Shown if messages are sent in a different language than that of the pages. */
function LanguageOfMessages({ settings }: { settings: MessageSettingsReply }) {
  const text = useTexts(messageSettingsTexts)
  const language = useMessageLanguage()
  const change = useChange(messages.setLanguage)
  if (settings.language === language) return null
  const nameOf = new Intl.DisplayNames(language, { type: 'language', fallback: 'code' })
  const names = {
    messages: nameOf.of(settings.language) ?? settings.language,
    page: nameOf.of(language) ?? language,
  }
  const press = () =>
    change.mutate(language, {
      onError: (error) => toast.error(errorText(error, text('saveFailed'))),
    })
  return (
    <section className="panel">
      <p>{text('language', names)}</p>
      <p>
        <QuietButton disabled={change.isPending} onClick={press}>
          {text('changeLanguage', { page: names.page })}
        </QuietButton>
      </p>
    </section>
  )
}
