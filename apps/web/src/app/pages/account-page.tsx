import { useQuery } from '@tanstack/react-query'
import { Link, Navigate } from 'react-router'
import { accountQueries } from '../../features/account/account.api.ts'
import { accountTexts } from '../../features/account/account.texts.ts'
import { ProfileSection } from '../../features/account/profile-section.tsx'
import { StakesSection } from '../../features/account/stakes-section.tsx'
import { useIsOffline } from '../../shared/api/connection.ts'
import { useTexts } from '../../shared/i18n/texts.ts'
import { CopyButton } from '../../shared/ui/copy-button.tsx'
import { ExplorerValue } from '../../shared/ui/explorer-value.tsx'
import { Page } from '../../shared/ui/page.tsx'

export function AccountPage() {
  const text = useTexts(accountTexts)
  const profile = useQuery(accountQueries.profile)
  const isOffline = useIsOffline()
  if (profile.isLoadingError && !isOffline) return <Navigate to="/login" replace />
  const user = profile.data
  return (
    <Page
      title={text('title')}
      lead={
        <p className="row">
          <Link to="/messages">{text('messages')}</Link>
          <Link to="/your-data">{text('yourData')}</Link>
        </p>
      }
      size="dense"
    >
      {user === undefined ? (
        !isOffline && <span className="skeleton skeleton--block" aria-busy="true" />
      ) : (
        <>
          <section className="panel">
            <h2>{text('walletAddress')}</h2>
            <p className="account__address">
              <ExplorerValue chain="tron" kind="address" value={user.tron_address} isWhole />
              <CopyButton value={user.tron_address} label={text('copyAddress')} iconOnly />
            </p>
          </section>
          <ProfileSection user={user} />
          <StakesSection owner={user.tron_address} />
        </>
      )}
    </Page>
  )
}
