import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Link } from 'react-router'
import { useTexts } from '../../shared/i18n/texts.ts'
import { deviceMemory } from '../../shared/storage/memory.ts'
import { Notice } from '../../shared/ui/notice.tsx'
import { hintTexts } from './notices-hint.texts.ts'
import { noticesQuery } from './notices-query.ts'

/** Set once the hint has been answered or is not needed; the dashboard then does not load it. */
const ANSWERED_KEY = 'noticesHint'

/** Tells holders without a channel that they can be notified before a deadline, until they answer the hint. */
export function NoticesHint() {
  const text = useTexts(hintTexts)
  const [isAnswered, setIsAnswered] = useState(false)
  const { data } = useQuery(noticesQuery)
  const isTold = data && (data.email !== null || data.telegram !== null || data.push.length > 0)
  const answer = () => {
    deviceMemory.setItem(ANSWERED_KEY, 'yes')
    setIsAnswered(true)
  }
  useEffect(() => {
    if (isTold) deviceMemory.setItem(ANSWERED_KEY, 'yes')
  }, [isTold])
  if (isAnswered || !data || isTold || !Object.values(data.offered).includes(true)) return null
  return (
    <Notice>
      <p>{text('sentence')}</p>
      <p className="row">
        <Link to="/notifications" onClick={answer}>
          {text('choose')}
        </Link>
        <button type="button" className="text-button" onClick={answer}>
          {text('notNow')}
        </button>
      </p>
    </Notice>
  )
}
