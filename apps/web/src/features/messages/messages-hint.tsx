import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { useTexts } from '../../shared/i18n/texts.ts'
import { messageSettingsQuery } from './message-settings-query.ts'
import { hintTexts } from './messages-hint.texts.ts'

/** Leads holders without a channel to the settings of messages before deadlines; renders nothing for others. */
export function MessagesHint() {
  const text = useTexts(hintTexts)
  const { data } = useQuery(messageSettingsQuery)
  const isTold = data && (data.email !== null || data.telegram !== null || data.push.length > 0)
  if (!data || isTold || !Object.values(data.offered).includes(true)) return null
  return (
    <p>
      <Link className="small" to="/messages">
        {text('remind')}
      </Link>
    </p>
  )
}
