import { type QueryFilters, useQueryClient } from '@tanstack/react-query'
import { Link } from 'react-router'
import { useTexts } from '../../shared/i18n/texts.ts'
import { Callout } from '../../shared/ui/callout.tsx'
import { ArrowIcon, CheckIcon } from '../../shared/ui/icons.tsx'
import { QuietButton } from '../../shared/ui/quiet-button.tsx'
import { waitingTexts } from './admin-waiting.texts.ts'
import { useWaiting, WAITING_PLACES, type WaitingKind } from './use-waiting.ts'
import './admin-waiting.css'

/** The page's failed queries, which the retry button refetches. */
const FAILED: QueryFilters = { type: 'active', predicate: ({ state }) => state.status === 'error' }
const KINDS = Object.keys(WAITING_PLACES) as WaitingKind[]

/** Everything that awaits an admin, with counts and links; a single line if nothing does. */
export function AdminWaiting() {
  const text = useTexts(waitingTexts)
  const queryClient = useQueryClient()
  const waiting = useWaiting()
  const isLoading = KINDS.some((kind) => waiting[kind] === undefined)
  const unknown = KINDS.filter((kind) => waiting[kind] === null)
  const open = KINDS.filter((kind) => (waiting[kind] ?? 0) > 0)
  return (
    <section className="panel waiting" aria-label={text('title')} aria-busy={isLoading}>
      <h2>{text('title')}</h2>
      {open.length > 0 && (
        <ul className="waiting__list">
          {open.map((kind) => (
            <li key={kind}>
              <Link className="waiting__link" to={WAITING_PLACES[kind]}>
                <span className="waiting__count">{waiting[kind]}</span>
                {text(kind)}
                <ArrowIcon />
              </Link>
            </li>
          ))}
        </ul>
      )}
      {unknown.length > 0 && (
        <Callout tone="warn">
          <div className="stack stack--tight">
            <p>{text('unknown')}</p>
            <ul>
              {unknown.map((kind) => (
                <li key={kind}>{text(kind)}</li>
              ))}
            </ul>
            <p>
              <QuietButton onClick={() => void queryClient.refetchQueries(FAILED)}>
                {text('retry')}
              </QuietButton>
            </p>
          </div>
        </Callout>
      )}
      {isLoading && <span className="skeleton skeleton--line" aria-busy="true" />}
      {!isLoading && unknown.length === 0 && (
        <p className="soft small waiting__fine">
          <CheckIcon />
          {text(open.length === 0 ? 'nothing' : 'nothingElse')}
        </p>
      )}
    </section>
  )
}
