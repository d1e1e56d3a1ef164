import type { ReferralSummary } from '@dct/api-contract/referrals'
import { useQuery } from '@tanstack/react-query'
import { useTexts } from '../../shared/i18n/texts.ts'
import { CopyButton } from '../../shared/ui/copy-button.tsx'
import { ExplorerValue } from '../../shared/ui/explorer-value.tsx'
import { NotLoaded } from '../../shared/ui/not-loaded.tsx'
import { StaleCallout } from '../../shared/ui/stale-callout.tsx'
import { useErrorToast } from '../../shared/ui/use-error-toast.ts'
import { Block } from './block.tsx'
import { referralQueries } from './referrals.api.ts'
import { REFERRAL_WORDING, referralTexts } from './referrals.texts.ts'
import { SummaryCards } from './summary-cards.tsx'

export function useSummary() {
  return useQuery(referralQueries.summary())
}

/** What the user earned, claimed and can still claim, by kind. */
export function SummaryBlock() {
  const text = useTexts(referralTexts)
  const summary = useSummary()
  useErrorToast(summary.error, REFERRAL_WORDING.summaryFailed)
  return (
    <Block title={text('summary')}>
      <StaleCallout query={summary} />
      {summary.data === undefined ? (
        <NotLoaded query={summary}>{text('summaryFailed')}</NotLoaded>
      ) : (
        <Summary summary={summary.data} />
      )}
    </Block>
  )
}

function Summary({ summary }: { summary: ReferralSummary | null }) {
  const text = useTexts(referralTexts)
  if (!summary) return <p className="empty">{REFERRAL_WORDING.noSummary}</p>
  const address = summary.tron_address
  return (
    <>
      <p className="referral-address">
        <span className="soft small">{text('tronAddress')}</span>
        <span className="referral-address__value">
          <ExplorerValue chain="tron" kind="address" value={address} isWhole />
          <CopyButton value={address} label={text('copyAddress')} iconOnly />
        </span>
      </p>
      <SummaryCards summary={summary} />
    </>
  )
}
