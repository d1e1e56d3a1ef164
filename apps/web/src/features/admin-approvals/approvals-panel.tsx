import type { SecondApprovalsReply } from '@dct/api-contract/reports'
import { useQuery } from '@tanstack/react-query'
import { errorText } from '../../shared/api/api-error.ts'
import { useTexts } from '../../shared/i18n/texts.ts'
import { Amount } from '../../shared/ui/amount.tsx'
import { BonusTypeName } from '../../shared/ui/bonus-type-name.tsx'
import { DateTime } from '../../shared/ui/date-time.tsx'
import { ExplorerValue } from '../../shared/ui/explorer-value.tsx'
import { NotLoaded } from '../../shared/ui/not-loaded.tsx'
import { Panel } from '../../shared/ui/panel.tsx'
import { PlainTable } from '../../shared/ui/plain-table.tsx'
import { SmallButton } from '../../shared/ui/small-button.tsx'
import { toast } from '../../shared/ui/toast-store.ts'
import { approvalsQuery, useSecondApproval } from './approvals.api.ts'
import { approvalTexts } from './approvals.texts.ts'
import '../../shared/ui/wide-table.css'
import { shownPercentage } from '../../shared/lib/shown-percentage.ts'

/** Actions that one admin has started and another must approve. */
export function ApprovalsPanel() {
  const text = useTexts(approvalTexts)
  const waiting = useQuery(approvalsQuery)
  if (waiting.data === undefined) {
    return <NotLoaded query={waiting}>{text('failed')}</NotLoaded>
  }
  return (
    <div className="stack">
      <p className="soft">{text('hint')}</p>
      <WaitingClaims claims={waiting.data.claims} />
      <WaitingPercentages percentages={waiting.data.percentages} />
    </div>
  )
}

function WaitingClaims({ claims }: Pick<SecondApprovalsReply, 'claims'>) {
  const text = useTexts(approvalTexts)
  const { claim: approval } = useSecondApproval()
  return (
    <Panel title={text('claims')} className="wide-table">
      {claims.length === 0 ? (
        <p className="soft">{text('noClaims')}</p>
      ) : (
        <PlainTable
          caption={text('claims')}
          columns={[
            { header: text('holder') },
            { header: text('amount'), align: 'end' },
            { header: text('kind') },
            { header: text('receiver') },
            { header: text('first') },
            { header: text('since') },
            { header: text('decide') },
          ]}
          rows={claims.map((claim) => ({
            key: claim.id,
            cells: [
              <ExplorerValue key="who" chain="tron" kind="address" value={claim.tron_address} />,
              <Amount key="amount" value={claim.amount_usdt} unit="USDT" />,
              <BonusTypeName key="kind" type={claim.bonus_type} />,
              <ExplorerValue key="to" chain="bsc" kind="address" value={claim.usdt_address} />,
              <ExplorerValue
                key="first"
                chain="tron"
                kind="address"
                value={claim.first_approve_by}
              />,
              <DateTime key="since" value={claim.first_approve_at} />,
              <Decision
                key="decide"
                isMine={claim.is_mine}
                isBusy={approval.isPending}
                name={text('approve')}
                onDecide={() =>
                  approval.mutate(claim.id, {
                    onSuccess: ({ message, is_approved: isDone }) =>
                      toast.outcome(message, { isDone }),
                    onError: (error) => toast.error(errorText(error, text('actFailed'))),
                  })
                }
              />,
            ],
          }))}
        />
      )}
    </Panel>
  )
}

function WaitingPercentages({ percentages }: Pick<SecondApprovalsReply, 'percentages'>) {
  const text = useTexts(approvalTexts)
  const { percentage: change } = useSecondApproval()
  return (
    <Panel title={text('percentages')} className="wide-table">
      {percentages.length === 0 ? (
        <p className="soft">{text('noPercentages')}</p>
      ) : (
        <PlainTable
          caption={text('percentages')}
          columns={[
            { header: text('user') },
            { header: text('change') },
            { header: text('first') },
            { header: text('since') },
            { header: text('until') },
            { header: text('decide') },
          ]}
          rows={percentages.map((wish) => ({
            key: wish.tron_address,
            cells: [
              <ExplorerValue key="who" chain="tron" kind="address" value={wish.tron_address} />,
              `${shownPercentage(wish.old_percentage)}% → ${shownPercentage(wish.new_percentage)}%`,
              <ExplorerValue key="first" chain="tron" kind="address" value={wish.proposed_by} />,
              <DateTime key="since" value={wish.proposed_at} />,
              <DateTime key="until" value={wish.expires_at} />,
              <Decision
                key="decide"
                isMine={wish.is_mine}
                isBusy={change.isPending}
                name={text('confirm')}
                onDecide={() =>
                  change.mutate(wish, {
                    onSuccess: ({ message, is_set: isDone }) => toast.outcome(message, { isDone }),
                    onError: (error) => toast.error(errorText(error, text('actFailed'))),
                  })
                }
              />,
            ],
          }))}
        />
      )}
    </Panel>
  )
}

type DecisionProps = { isMine: boolean; isBusy: boolean; name: string; onDecide(): void }

function Decision({ isMine, isBusy, name, onDecide }: DecisionProps) {
  const text = useTexts(approvalTexts)
  if (isMine) return <span className="soft">{text('mine')}</span>
  return (
    <SmallButton disabled={isBusy} onClick={onDecide}>
      {name}
    </SmallButton>
  )
}
