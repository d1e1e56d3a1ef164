import type { MessageSettingsReply } from '@dct/api-contract/messages'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { errorText } from '../../shared/api/api-error.ts'
import { useTexts } from '../../shared/i18n/texts.ts'
import { deviceName } from '../../shared/lib/device-name.ts'
import { QuietButton } from '../../shared/ui/quiet-button.tsx'
import { SmallButton } from '../../shared/ui/small-button.tsx'
import { toast } from '../../shared/ui/toast-store.ts'
import { Channel, RemoveButton, TestButton } from './channel.tsx'
import { messages, useChange, useMessageLanguage } from './messages.api.ts'
import { messageSettingsTexts } from './messages.texts.ts'
import { ownPushQuery, turnOff, turnOn } from './push-subscription.ts'

type Device = MessageSettingsReply['push'][number]

/** Messages on this device, and the holder's other devices. */
export function PushChannel({ settings }: { settings: MessageSettingsReply }) {
  const text = useTexts(messageSettingsTexts)
  const { data: own } = useQuery(ownPushQuery)
  const endpoint = own?.state === 'ready' ? own.endpoint : undefined
  const here = settings.push.find(
    (device) => device.endpoint === endpoint && device.state === 'subscribed',
  )
  const others = settings.push.filter((device) => device !== here)
  const key = settings.push_key
  return (
    <Channel name={text('push')} state={here ? 'on' : 'off'}>
      <p className={here ? undefined : 'soft'}>{text(here ? 'pushOn' : 'pushLead')}</p>
      {own?.state === 'unsupported' && <p role="status">{text('pushUnsupported')}</p>}
      {own?.state === 'blocked' && <p role="status">{text('pushBlocked')}</p>}
      {own?.state === 'ready' && (
        <div className="row">
          {here ? <TurnOff id={here.id} /> : key !== null && <TurnOn pushKey={key} />}
          {here && <TestButton channel="push" />}
        </div>
      )}
      {others.length > 0 && <OtherDevices devices={others} />}
    </Channel>
  )
}

function TurnOn({ pushKey }: { pushKey: string }) {
  const text = useTexts(messageSettingsTexts)
  const language = useMessageLanguage()
  const queryClient = useQueryClient()
  const [isDismissed, setIsDismissed] = useState(false)
  const on = useChange(async () => {
    try {
      setIsDismissed(!(await turnOn({ key: pushKey, language })))
    } finally {
      await queryClient.invalidateQueries({ queryKey: ownPushQuery.queryKey })
    }
  })
  const press = () =>
    on.mutate(undefined, {
      onError: (error) => toast.error(errorText(error, text('pushFailed'))),
    })
  return (
    <>
      <SmallButton disabled={on.isPending} onClick={press}>
        {text('turnOn')}
      </SmallButton>
      {isDismissed && <p role="status">{text('pushDismissed')}</p>}
    </>
  )
}

function TurnOff({ id }: { id: string }) {
  const text = useTexts(messageSettingsTexts)
  const queryClient = useQueryClient()
  const off = useChange(async () => {
    await turnOff(id)
    await queryClient.invalidateQueries({ queryKey: ownPushQuery.queryKey })
  })
  const press = () =>
    off.mutate(undefined, {
      onError: (error) => toast.error(errorText(error, text('removeFailed'))),
    })
  return (
    <QuietButton disabled={off.isPending} onClick={press}>
      {text('turnOff')}
    </QuietButton>
  )
}

function OtherDevices({ devices }: { devices: readonly Device[] }) {
  const text = useTexts(messageSettingsTexts)
  return (
    <section className="stack stack--tight" aria-label={text('otherDevices')}>
      <h3>{text('otherDevices')}</h3>
      <ul className="messages__devices">
        {devices.map(({ id, device, state }) => (
          <li key={id} className="stack stack--tight">
            <p className="messages__long">{deviceName(device)}</p>
            {state === 'ended' && <p className="soft small">{text('deviceEnded')}</p>}
            <div className="row">
              <RemoveButton name={deviceName(device)} remove={() => messages.removeDevice(id)} />
            </div>
          </li>
        ))}
      </ul>
    </section>
  )
}
