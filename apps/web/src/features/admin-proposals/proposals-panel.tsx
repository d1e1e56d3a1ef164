import type { Proposal } from '@dct/api-contract/proposals'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { errorText } from '../../shared/api/api-error.ts'
import { useTexts } from '../../shared/i18n/texts.ts'
import { BonusTypeName } from '../../shared/ui/bonus-type-name.tsx'
import { DateTime } from '../../shared/ui/date-time.tsx'
import { ExplorerValue } from '../../shared/ui/explorer-value.tsx'
import { NotLoaded } from '../../shared/ui/not-loaded.tsx'
import { Panel } from '../../shared/ui/panel.tsx'
import { PlainTable } from '../../shared/ui/plain-table.tsx'
import { QuietButton } from '../../shared/ui/quiet-button.tsx'
import { ReasonDialog } from '../../shared/ui/reason-dialog.tsx'
import { settingTexts } from '../../shared/ui/setting.texts.ts'
import { SettingValue } from '../../shared/ui/setting-value.tsx'
import { SmallButton } from '../../shared/ui/small-button.tsx'
import { toast } from '../../shared/ui/toast-store.ts'
import {
  proposalsQuery,
  useConfirmProposal,
  useDeclineProposal,
  useWithdrawProposal,
} from './proposals.api.ts'
import { proposalTexts } from './proposals.texts.ts'
import '../../shared/ui/wide-table.css'

/** What one admin has proposed and another must confirm. */
export function ProposalsPanel() {
  const text = useTexts(proposalTexts)
  const waiting = useQuery(proposalsQuery)
  if (waiting.data === undefined) {
    return <NotLoaded query={waiting}>{text('failed')}</NotLoaded>
  }
  return (
    <Panel title={text('title')} className="wide-table">
      <p className="soft">{text('hint')}</p>
      {waiting.data.length === 0 ? (
        <p className="soft">{text('nothing')}</p>
      ) : (
        <Proposals proposals={waiting.data} />
      )}
    </Panel>
  )
}

/** What waits of prices and fee settings; nothing where nothing does. */
export function WaitingSettings() {
  const text = useTexts(proposalTexts)
  const settings = useQuery(proposalsQuery).data?.filter((one) => one.tron_address === null) ?? []
  if (settings.length === 0) return null
  return (
    <Panel title={text('title')} className="wide-table">
      <Proposals proposals={settings} />
    </Panel>
  )
}

function Proposals({ proposals }: { proposals: readonly Proposal[] }) {
  const text = useTexts(proposalTexts)
  return (
    <PlainTable
      caption={text('title')}
      columns={[
        { header: text('what') },
        { header: text('change') },
        { header: text('first') },
        { header: text('since') },
        { header: text('until') },
        { header: text('decide') },
      ]}
      rows={proposals.map((proposal) => ({
        key: `${proposal.kind}${proposal.claim?.id ?? proposal.tron_address}`,
        cells: [
          <What key="what" proposal={proposal} />,
          <Change key="change" proposal={proposal} />,
          <ExplorerValue key="first" chain="tron" kind="address" value={proposal.proposed_by} />,
          <DateTime key="since" value={proposal.proposed_at} />,
          <DateTime key="until" value={proposal.expires_at} />,
          <Decide key="decide" proposal={proposal} />,
        ],
      }))}
    />
  )
}

function What({ proposal: { kind, claim, tron_address } }: { proposal: Proposal }) {
  const named = useTexts(settingTexts)
  return (
    <>
      {named(kind)}
      {claim !== null && (
        <>
          , <BonusTypeName type={claim.bonus_type} />
        </>
      )}{' '}
      {tron_address !== null && <ExplorerValue chain="tron" kind="address" value={tron_address} />}
    </>
  )
}

function Change({ proposal: { kind, claim, old_value, value } }: { proposal: Proposal }) {
  return (
    <>
      {old_value !== null && (
        <>
          <SettingValue kind={kind} value={old_value} /> →{' '}
        </>
      )}
      <SettingValue kind={kind} value={value} />
      {claim !== null && (
        <>
          {' → '}
          <ExplorerValue chain="bsc" kind="address" value={claim.usdt_address} />
        </>
      )}
    </>
  )
}

/** What this admin can do about a proposal: agree or decline, or withdraw the own one. */
function Decide({ proposal }: { proposal: Proposal }) {
  const text = useTexts(proposalTexts)
  const confirm = useConfirmProposal()
  const withdraw = useWithdrawProposal()
  const [isDeclining, setDeclining] = useState(false)
  const isBusy = confirm.isPending || withdraw.isPending
  const onError = (error: unknown) => toast.error(errorText(error, text('actFailed')))
  return (
    <div className="stack stack--tight">
      {proposal.is_mine ? (
        <span className="soft">{text('mine')}</span>
      ) : (
        <SmallButton disabled={isBusy} onClick={() => confirm.mutate(proposal, { onError })}>
          {text('confirm')}
        </SmallButton>
      )}
      {proposal.can_withdraw ? (
        <QuietButton disabled={isBusy} onClick={() => withdraw.mutate(proposal, { onError })}>
          {text('withdraw')}
        </QuietButton>
      ) : (
        <QuietButton disabled={isBusy} onClick={() => setDeclining(true)}>
          {text('decline')}
        </QuietButton>
      )}
      {isDeclining && <DeclineProposal proposal={proposal} onClose={() => setDeclining(false)} />}
    </div>
  )
}

/** Asks why a proposal is declined, and declines it. */
function DeclineProposal({ proposal, onClose }: { proposal: Proposal; onClose(): void }) {
  const text = useTexts(proposalTexts)
  const decline = useDeclineProposal()
  const { id, proposed_at } = proposal
  return (
    <ReasonDialog
      title={text('declineTitle')}
      label={text('declineReason')}
      confirm={text('decline')}
      problem={decline.isError ? errorText(decline.error, text('actFailed')) : undefined}
      isBusy={decline.isPending}
      onClose={onClose}
      onConfirm={(reason) => decline.mutate({ id, proposed_at, reason }, { onSuccess: onClose })}
    >
      <p>
        <What proposal={proposal} />: <Change proposal={proposal} />
      </p>
      <p className="soft">{text(proposal.claim === null ? 'declineHint' : 'declineClaimHint')}</p>
    </ReasonDialog>
  )
}
