import { LIST_ORDERS } from '@dct/api-contract/lists'
import type { BonusType } from '@dct/api-contract/referrals'
import { useQuery } from '@tanstack/react-query'
import { type ComponentProps, useState } from 'react'
import { useTexts } from '../../shared/i18n/texts.ts'
import type { ListDefaults } from '../../shared/lib/list-params.ts'
import { useListParams } from '../../shared/lib/use-list-params.ts'
import { useTabParam } from '../../shared/lib/use-tab-param.ts'
import { Tabs } from '../../shared/ui/tabs.tsx'
import { AdminBalance } from './admin-balance.tsx'
import type { ClaimAct, OnAct } from './claim-actions.tsx'
import { claimPoolQueries } from './claim-pool.api.ts'
import { POOL_WORDING, poolTexts } from './claim-pool.texts.ts'
import { ClaimPoolTable } from './claim-pool-table.tsx'
import { ConfirmApproval } from './confirm-approval.tsx'
import { EndClaim } from './end-claim.tsx'
import { useAvailable } from './use-available.ts'
import '../../shared/ui/wide-table.css'

type PoolTab = { bonusType: BonusType; defaults: ListDefaults }
const DIRECT: PoolTab = {
  bonusType: 'direct bonus',
  defaults: { ...LIST_ORDERS.claimPool, prefix: 'direct-' },
}
const NON_DIRECT: PoolTab = {
  bonusType: 'non-direct',
  defaults: { ...LIST_ORDERS.claimPool, prefix: 'non-direct-' },
}
const TAB_IDS = ['direct', 'non-direct']

/** Claims of referral rewards, which admins approve against the vault's balance. */
export function ClaimPoolPanel() {
  const text = useTexts(poolTexts)
  const [active, choose] = useTabParam(TAB_IDS)
  const { bonusType, defaults } = active === 'direct' ? DIRECT : NON_DIRECT
  const list = useListParams(defaults)
  const pool = useQuery(claimPoolQueries.list({ ...list.query, bonus_type: bonusType }))
  const funds = useAvailable(pool.data?.approved_unpaid)
  const [chosen, setChosen] = useState<{ act: ClaimAct; id: string }>()

  const waitingOf = (kind: BonusType) => {
    const count = pool.data?.unapproved[kind] ?? 0
    return { count, words: text('toApprove', { count }) }
  }
  const act: OnAct = (name, id) => setChosen({ act: name, id })
  const table = <ClaimPoolTable bonusType={bonusType} list={list} result={pool} onAct={act} />
  return (
    <>
      <AdminBalance funds={funds} approvedUnpaid={pool.data?.approved_unpaid} />
      <section className="panel wide-table wide-table--folds">
        <Tabs
          label={POOL_WORDING.title}
          tabs={[
            {
              id: 'direct',
              name: POOL_WORDING.feeReferral,
              content: table,
              waiting: waitingOf('direct bonus'),
            },
            {
              id: 'non-direct',
              name: POOL_WORDING.feeEarning,
              content: table,
              waiting: waitingOf('non-direct'),
            },
          ]}
          active={active}
          onChange={choose}
        />
      </section>
      {chosen !== undefined && (
        <ClaimDialog
          act={chosen.act}
          id={chosen.id}
          entry={pool.data?.rows.find(({ id }) => id === chosen.id)}
          available={funds.available}
          onClose={() => setChosen(undefined)}
        />
      )}
    </>
  )
}

type ClaimDialogProps = ComponentProps<typeof ConfirmApproval> & { act: ClaimAct }

function ClaimDialog({ act, ...dialog }: ClaimDialogProps) {
  const { entry, onClose } = dialog
  if (act === 'approve') return <ConfirmApproval {...dialog} />
  // A claim that has left the list in the meantime can no longer be ended.
  if (entry === undefined) return null
  return <EndClaim entry={entry} ending={act} onClose={onClose} />
}
