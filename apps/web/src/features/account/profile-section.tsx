import type { Session, User } from '@dct/api-contract/auth'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { errorText } from '../../shared/api/api-error.ts'
import { useTexts } from '../../shared/i18n/texts.ts'
import { deviceName } from '../../shared/lib/device-name.ts'
import { tokenStore } from '../../shared/session/token-store.ts'
import { CopyButton } from '../../shared/ui/copy-button.tsx'
import { DateTime } from '../../shared/ui/date-time.tsx'
import { ExplorerValue } from '../../shared/ui/explorer-value.tsx'
import { Fact } from '../../shared/ui/fact.tsx'
import { NotLoaded } from '../../shared/ui/not-loaded.tsx'
import { QuietButton } from '../../shared/ui/quiet-button.tsx'
import { toast } from '../../shared/ui/toast-store.ts'
import { accountQueries, endAllSessions, endSession } from './account.api.ts'
import { accountTexts } from './account.texts.ts'
import './account.css'
import { useAction } from '../../shared/lib/use-once.ts'

/** The user's account details, and where the account is signed in. */
export function ProfileSection({ user }: { user: User }) {
  const text = useTexts(accountTexts)
  return (
    <section className="panel">
      <h2>{text('profile')}</h2>
      <dl className="facts">
        <Fact term={text('email')} className="account__long">
          {user.email ?? text('noEmail')}
        </Fact>
        <Fact term={text('joined')}>
          <DateTime value={user.created_at} />
        </Fact>
        <Fact term={text('referralCode')} className="row code">
          {user.referral_code}
          <CopyButton value={user.referral_code} label={text('copyCode')} iconOnly />
        </Fact>
        <Fact term={text('referrer')}>
          {user.referrer_tron_address ? (
            <ExplorerValue chain="tron" kind="address" value={user.referrer_tron_address} />
          ) : (
            text('noReferrer')
          )}
        </Fact>
        <Fact term={text('referrals')}>{user.total_referrals}</Fact>
      </dl>
      <Sessions />
    </section>
  )
}

function Sessions() {
  const text = useTexts(accountTexts)
  const sessions = useQuery(accountQueries.sessions)
  const endAll = useAction({
    mutationFn: endAllSessions,
    onSuccess: ({ message }) => {
      toast.success(message)
      tokenStore.remove() // the service has ended this session as well
    },
    onError: (error) => toast.error(errorText(error, text('endAllFailed'))),
  })
  if (sessions.data === undefined) {
    return <NotLoaded query={sessions}>{text('sessionsFailed')}</NotLoaded>
  }
  return (
    <section className="stack" aria-label={text('sessions')}>
      <div className="panel__head">
        <h3>{text('sessions')}</h3>
        <QuietButton disabled={endAll.isPending} onClick={() => endAll.mutate()}>
          {text('endAll')}
        </QuietButton>
      </div>
      <ul className="account__sessions">
        {sessions.data.map((one) => (
          <li key={one.id}>
            <SessionRow session={one} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function SessionRow({ session }: { session: Session }) {
  const text = useTexts(accountTexts)
  return (
    <>
      <p className="row">
        <strong className="account__long" title={session.user_agent}>
          {deviceName(session.user_agent)}
        </strong>
        {session.is_current ? (
          <span className="badge" data-tone="good">
            {text('thisSession')}
          </span>
        ) : (
          <EndSession id={session.id} />
        )}
      </p>
      <dl className="facts small">
        <Fact term={text('network')}>{session.network}</Fact>
        <Fact term={text('since')}>
          <DateTime value={session.created_at} />
        </Fact>
        <Fact term={text('lastSeen')}>
          <DateTime value={session.last_seen_at} />
        </Fact>
        <Fact term={text('ends')}>
          <DateTime value={session.expires_at} />
        </Fact>
      </dl>
    </>
  )
}

function EndSession({ id }: { id: string }) {
  const text = useTexts(accountTexts)
  const queryClient = useQueryClient()
  const end = useAction({
    mutationFn: () => endSession(id),
    onSuccess: async ({ message }) => {
      toast.success(message)
      await queryClient.invalidateQueries({ queryKey: accountQueries.sessions.queryKey })
    },
    onError: (error) => toast.error(errorText(error, text('endAllFailed'))),
  })
  return (
    <button
      type="button"
      className="text-button small"
      disabled={end.isPending}
      onClick={() => end.mutate()}
    >
      {text('endOne')}
    </button>
  )
}
