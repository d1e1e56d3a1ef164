import type { AdminEarning } from '@dct/api-contract/earnings'
import { LIST_ORDERS } from '@dct/api-contract/lists'
import { useQuery } from '@tanstack/react-query'
import { useTexts } from '../../shared/i18n/texts.ts'
import { useListState } from '../../shared/lib/use-list-params.ts'
import { addressColumn, amountColumn, dateColumn, sortable } from '../../shared/ui/columns.tsx'
import { type Column, DataTable } from '../../shared/ui/data-table.tsx'
import { Dialog } from '../../shared/ui/dialog.tsx'
import { ExportButton } from '../../shared/ui/export-button.tsx'
import { PARTICIPANT_PATHS, type Participants, planQueries } from './admin-plans.api.ts'
import { PLAN_COLUMNS, PLAN_WORDING, planTexts } from './admin-plans.texts.ts'

const columns = (): Column<AdminEarning>[] => [
  sortable(addressColumn('tron_address', PLAN_COLUMNS.tronAddress, 'tron')),
  sortable(amountColumn('total_locked_amount', PLAN_COLUMNS.totalLocked, 'DCT')),
  sortable(amountColumn('daily_reward', PLAN_COLUMNS.dailyReward, 'DCT')),
  sortable(amountColumn('total_reward', PLAN_COLUMNS.totalReward, 'DCT')),
  sortable(dateColumn('start_date', PLAN_COLUMNS.startDate)),
  sortable(dateColumn('end_date', PLAN_COLUMNS.endDate)),
]

type ParticipantsDialogProps = { planCode: string; which: Participants; onClose(): void }

/** Users who locked tokens in a plan, either ever or today. */
export function ParticipantsDialog({ planCode, which, onClose }: ParticipantsDialogProps) {
  const text = useTexts(planTexts)
  const list = useListState(LIST_ORDERS.earnings)
  const query = { ...list.query, earning_plan_code: planCode }
  const result = useQuery(planQueries.participants(which, query))
  const title = text(which === 'all' ? 'participantsOf' : 'dailyParticipantsOf', { plan: planCode })
  return (
    <Dialog title={title} onClose={onClose} size="wide">
      <DataTable
        caption={title}
        columns={columns()}
        rowKey={(row) => row.id}
        list={list}
        result={result}
        emptyText={PLAN_WORDING.noParticipants}
        errorText={PLAN_WORDING.listFailed}
        searchLabel={text('searchParticipants')}
        download={<ExportButton path={PARTICIPANT_PATHS[which]} query={query} />}
      />
    </Dialog>
  )
}
