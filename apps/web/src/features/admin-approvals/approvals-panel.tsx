import type { Proposal } from '@dct/api-contract/proposals'
import { useQuery } from '@tanstack/react-query'
import { errorText } from '../../shared/api/api-error.ts'
import { useTexts } from '../../shared/i18n/texts.ts'
import { BonusTypeName } from '../../shared/ui/bonus-type-name.tsx'
import { DateTime } from '../../shared/ui/date-time.tsx'
import { ExplorerValue } from '../../shared/ui/explorer-value.tsx'
import { NotLoaded } from '../../shared/ui/not-loaded.tsx'
import { Panel } from '../../shared/ui/panel.tsx'
import { PlainTable } from '../../shared/ui/plain-table.tsx'
import { settingTexts } from '../../shared/ui/setting.texts.ts'
import { SettingValue } from '../../shared/ui/setting-value.tsx'
import { SmallButton } from '../../shared/ui/small-button.tsx'
import { toast } from '../../shared/ui/toast-store.ts'
import { approvalsQuery, useConfirmProposal } from './approvals.api.ts'
import { approvalTexts } from './approvals.texts.ts'
import '../../shared/ui/wide-table.css'

/** What one admin has proposed and another must confirm. */
export function ApprovalsPanel() {
  const text = useTexts(approvalTexts)
  const waiting = useQuery(approvalsQuery)
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
  const text = useTexts(approvalTexts)
  const settings = useQuery(approvalsQuery).data?.filter((one) => one.tron_address === null) ?? []
  if (settings.length === 0) return null
  return (
    <Panel title={text('title')} className="wide-table">
      <Proposals proposals={settings} />
    </Panel>
  )
}

function Proposals({ proposals }: { proposals: readonly Proposal[] }) {
  const text = useTexts(approvalTexts)
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

function Decide({ proposal }: { proposal: Proposal }) {
  const text = useTexts(approvalTexts)
  const confirm = useConfirmProposal()
  if (proposal.is_mine) return <span className="soft">{text('mine')}</span>
  const send = () =>
    confirm.mutate(proposal, {
      onError: (error) => toast.error(errorText(error, text('actFailed'))),
    })
  return (
    <SmallButton disabled={confirm.isPending} onClick={send}>
      {text('confirm')}
    </SmallButton>
  )
}
