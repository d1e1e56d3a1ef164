import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { errorText } from '../../shared/api/api-error.ts'
import { useTexts } from '../../shared/i18n/texts.ts'
import { Callout } from '../../shared/ui/callout.tsx'
import { NotLoaded } from '../../shared/ui/not-loaded.tsx'
import { messageLinks, useChange } from './messages.api.ts'
import { linkTexts, messageSettingsTexts } from './messages.texts.ts'

/** The page behind the link in a confirmation email. Only the button confirms, because email clients prefetch links. */
export function ConfirmEmail({ token }: { token: string }) {
  const text = useTexts(linkTexts)
  const confirm = useChange(messageLinks.confirmEmail)
  if (confirm.isSuccess) {
    return (
      <Outcome>
        <p>{text('confirmed')}</p>
      </Outcome>
    )
  }
  return (
    <section className="panel">
      <p>{text('confirmLead')}</p>
      <Act
        label={text('confirm')}
        isBusy={confirm.isPending}
        problem={confirm.isError ? errorText(confirm.error, text('confirmFailed')) : undefined}
        onPress={() => confirm.mutate(token)}
      />
    </section>
  )
}

/** The page behind the link at the end of an email. Only the button unsubscribes. */
export function Unsubscribe({ token }: { token: string }) {
  const text = useTexts(linkTexts)
  const kinds = useTexts(messageSettingsTexts)
  const found = useQuery(messageLinks.subscription(token))
  const end = useChange(messageLinks.unsubscribe)
  if (found.data === undefined) {
    return <NotLoaded query={found}>{errorText(found.error, text('loadFailed'))}</NotLoaded>
  }
  const kind = kinds(found.data.kind)
  if (end.isSuccess || !found.data.is_subscribed) {
    return (
      <Outcome>
        <p>{text('unsubscribed', { kind })}</p>
        <p>{text('others')}</p>
      </Outcome>
    )
  }
  return (
    <section className="panel">
      <p>{text('unsubscribeLead', { kind })}</p>
      <Act
        label={text('unsubscribe')}
        isBusy={end.isPending}
        problem={end.isError ? errorText(end.error, text('unsubscribeFailed')) : undefined}
        onPress={() => end.mutate(token)}
      />
    </section>
  )
}

type ActProps = { label: string; isBusy: boolean; problem: string | undefined; onPress(): void }

function Act({ label, isBusy, problem, onPress }: ActProps) {
  return (
    <>
      {problem !== undefined && (
        <Callout tone="bad" role="alert">
          <p>{problem}</p>
        </Callout>
      )}
      <button type="button" className="button button--wide" disabled={isBusy} onClick={onPress}>
        {label}
      </button>
    </>
  )
}

function Outcome({ children }: { children: ReactNode }) {
  const text = useTexts(linkTexts)
  return (
    <section className="panel" role="status">
      {children}
      <p>
        <Link to="/messages">{text('settings')}</Link>
      </p>
    </section>
  )
}
